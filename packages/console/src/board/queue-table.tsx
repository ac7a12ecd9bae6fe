import { ChevronDown, ChevronRight, ChevronUp } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import type { QueueOverview } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { moveToRow } from "../ui/keyboard.ts";
import type { LampKind } from "../ui/lamp.tsx";
import { type Density, useTables } from "./density.ts";
import { ON_DESK, QueueRow } from "./queue-row.tsx";
import { nextOrder, type Order, type SortedBy } from "./sort-queues.ts";
import type { RecentEnds } from "./sparkline.tsx";
import type { IsUnworked } from "./unworked.ts";

export interface Recent {
  /** The start of the first minute. */
  readonly from: number;
  readonly of: ReadonlyMap<string, RecentEnds>;
}

interface QueueTableProps {
  /** In display order. */
  readonly queues: readonly QueueOverview[];
  /** Andon's own queues that do not need a person. */
  readonly folded: readonly QueueOverview[];
  readonly order: Order;
  readonly onOrder: (order: string | undefined) => void;
  readonly lookOf: (queue: QueueOverview) => LampKind;
  readonly isUnworked: IsUnworked;
  readonly recent: Recent | undefined;
  readonly density: Density;
}

/** Every queue as a row. A wide screen shows fifty of them in two tables, which are read one after the other. */
export function QueueTable({ queues, folded, ...rest }: QueueTableProps) {
  const tables = useTables(queues.length, rest.density);
  if (tables === 1) return <Rows queues={queues} folded={folded} {...rest} />;
  const half = Math.ceil(queues.length / 2);
  return (
    <div className="grid grid-cols-2 divide-x divide-line">
      <Rows queues={queues.slice(0, half)} folded={[]} isNarrow from={1} {...rest} />
      <Rows queues={queues.slice(half)} folded={folded} isNarrow from={half + 1} {...rest} />
    </div>
  );
}

interface RowsProps extends QueueTableProps {
  /** True for one of two tables, which have no column for the state. */
  readonly isNarrow?: boolean;
  /** The number of its first row among all rows, if there are two tables. */
  readonly from?: number;
}

/** The widths of the columns, in display order. On a narrow desk names and states take room from the sparkline. */
const WIDTHS = [
  "w-[22%] xl:w-[18%]",
  "w-[20%]",
  "w-[9%] xl:w-[13%]",
  "w-[7%]",
  "w-[9.5%]",
  "w-[7.5%] xl:w-[7%]",
  "w-[6%]",
  "w-[7%] xl:w-[7.5%]",
  "w-[12%]",
];
const NARROW_WIDTHS = [
  "w-[31%]",
  "w-[14%]",
  "w-[7.5%]",
  "w-[10%]",
  "w-[8%]",
  "w-[7%]",
  "w-[8%]",
  "w-[14.5%]",
];

function Rows(props: RowsProps) {
  const {
    queues,
    folded,
    order,
    onOrder,
    lookOf,
    isUnworked,
    recent,
    density,
    isNarrow = false,
    from,
  } = props;
  const { overview } = useWords();
  const [isOpen, setIsOpen] = useState(false);
  const widths = isNarrow ? NARROW_WIDTHS : WIDTHS;
  const rowOf = (queue: QueueOverview) => (
    <QueueRow
      key={queue.queue}
      queue={queue}
      kind={lookOf(queue)}
      isUnworked={isUnworked(queue)}
      ends={recent?.of.get(queue.queue)}
      from={recent?.from}
      density={density}
      isNarrow={isNarrow}
    />
  );
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : undefined;
    if (step === undefined) return;
    event.preventDefault();
    moveToRow(step);
  };
  return (
    <table
      aria-label={from === undefined ? overview.title : overview.part(from, from + queues.length - 1)}
      onKeyDown={onKeyDown}
      className="w-full self-start border-collapse md:table-fixed"
    >
      <colgroup className="max-md:hidden">
        {widths.map((width, column) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: columns have no other name, and never move
          <col key={column} className={width} />
        ))}
      </colgroup>
      <thead className="max-md:sr-only">
        <tr className="text-xs text-soft">
          <Head by="name" order={order} onOrder={onOrder} className="pl-3 text-left">
            {overview.queue}
          </Head>
          {!isNarrow && (
            <th scope="col" className={`${ON_DESK} px-2 py-1.5 text-left font-medium`}>
              {overview.state}
            </th>
          )}
          <th scope="col" className="px-2 py-1.5 text-left font-medium">
            {overview.lastHour}
          </th>
          {(["waiting", "oldest", "running", "failed", "rate", "drain"] as const).map((by) => (
            <Head key={by} by={by} order={order} onOrder={onOrder} className={`${ON_DESK} text-right`}>
              {overview[by]}
            </Head>
          ))}
        </tr>
      </thead>
      <tbody>{queues.map(rowOf)}</tbody>
      {folded.length > 0 && (
        <tbody>
          <tr className="border-t border-line">
            <td colSpan={widths.length} className="p-0">
              <button
                type="button"
                aria-expanded={isOpen}
                onClick={() => setIsOpen(!isOpen)}
                className="flex min-h-8 w-full items-center gap-2 px-3 text-left text-xs text-soft hover:bg-raised hover:text-ink"
              >
                {isOpen ? (
                  <ChevronDown size={14} aria-hidden="true" />
                ) : (
                  <ChevronRight size={14} aria-hidden="true" />
                )}
                <span className="font-medium">{overview.system(folded.length)}</span>
                <span className="truncate">{overview.systemState(sumOf(folded))}</span>
              </button>
            </td>
          </tr>
          {isOpen && folded.map(rowOf)}
        </tbody>
      )}
    </table>
  );
}

function sumOf(queues: readonly QueueOverview[]) {
  return queues.reduce(
    (sum, { waiting, active }) => ({ waiting: sum.waiting + waiting, running: sum.running + active }),
    { waiting: 0, running: 0 },
  );
}

interface HeadProps {
  readonly by: SortedBy;
  readonly order: Order;
  readonly onOrder: (order: string | undefined) => void;
  readonly className: string;
  readonly children: ReactNode;
}

/** The head of a sortable column. */
function Head({ by, order, onOrder, className, children }: HeadProps) {
  const isSorted = order.by === by;
  const Sign = order.isDescending ? ChevronDown : ChevronUp;
  return (
    <th
      scope="col"
      aria-sort={isSorted ? (order.isDescending ? "descending" : "ascending") : "none"}
      className={`${className} px-2 py-1 font-medium whitespace-nowrap`}
    >
      <button
        type="button"
        onClick={() => onOrder(nextOrder(order, by))}
        className={`inline-flex min-h-6 items-center gap-0.5 rounded hover:text-ink ${isSorted ? "font-semibold text-ink" : ""}`}
      >
        {isSorted && <Sign size={12} aria-hidden="true" />}
        {children}
      </button>
    </th>
  );
}

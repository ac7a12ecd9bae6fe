import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { focusRowAt, rowPlaceOf } from "./row-place.ts";

export interface Column {
  readonly label: string;
  /** Left out on a phone. */
  readonly wide?: boolean;
  /** Numbers and buttons: on the right, and never broken. */
  readonly end?: boolean;
  /** Paths, keys, errors, whatever callers wrote: it may break anywhere. All else breaks between words. */
  readonly free?: boolean;
  /** Only for those who hear the page. */
  readonly silent?: boolean;
  /** Left out below a wide screen. */
  readonly widest?: boolean;
  /** The list is in the order of this column, and can be shown the other way round. */
  readonly sort?: {
    readonly direction: "ascending" | "descending";
    readonly label: string;
    readonly onReverse: () => void;
  };
}

/** A button stands on the line of the text beside it, and makes the row no higher. */
const ON_LINE = "md:[&>button]:-my-1 md:[&>div>button]:-my-1 md:[&>span>button]:-my-1";

const cellClass = ({ wide, widest, end }: Column) =>
  `${widest ? "hidden xl:table-cell" : wide ? "hidden md:table-cell" : ""} ${end ? `text-right whitespace-nowrap ${ON_LINE}` : "text-left"} px-3 py-2.5 align-top sm:px-4`;

export function Table({
  label,
  columns,
  children,
}: {
  label: string;
  columns: readonly Column[];
  children: ReactNode;
}) {
  return (
    <div className="relative overflow-x-auto">
      <table className="w-full border-collapse" aria-label={label}>
        <thead>
          <tr className="bg-ground/60 text-xs text-faint">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                className={`${cellClass(column)} py-1.5! font-medium whitespace-nowrap`}
                {...(column.sort ? { "aria-sort": column.sort.direction } : {})}
              >
                <Heading column={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}

function Heading({ column: { label, silent, sort } }: { column: Column }) {
  if (silent) return <span className="sr-only">{label}</span>;
  if (!sort) return label;
  const Arrow = sort.direction === "ascending" ? ArrowUp : ArrowDown;
  return (
    <button
      type="button"
      title={sort.label}
      onClick={sort.onReverse}
      className="-my-1 inline-flex min-h-6 items-center gap-1 rounded hover:text-ink"
    >
      {label}
      <Arrow size={13} aria-hidden="true" />
    </button>
  );
}

interface RowProps {
  readonly columns: readonly Column[];
  readonly cells: readonly ReactNode[];
  /** What the row is about, for keys that act on it. */
  readonly about?: string;
  readonly isSelected?: boolean;
}

/** One row. The link in it that `data-row-link` marks gets the focus as j and k move. */
export function Row({ columns, cells, about, isSelected = false }: RowProps) {
  const ref = useRef<HTMLTableRowElement>(null);
  useHandedOnFocus(ref);
  return (
    <tr
      ref={ref}
      data-row={about ?? ""}
      className={`border-t border-line transition-colors focus-within:bg-accent-wash hover:bg-raised ${isSelected ? "bg-accent-wash" : ""}`}
    >
      {columns.map((column, index) => (
        <td key={column.label} className={cellClass(column)}>
          {column.free ? <div className="min-w-24 wrap-anywhere">{cells[index]}</div> : cells[index]}
        </td>
      ))}
    </tr>
  );
}

/** A row that goes away under the focus, as after a decision, gives it to the row that then stands in its place. */
function useHandedOnFocus(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const row = ref.current;
    return () => {
      const place = row?.contains(document.activeElement) ? rowPlaceOf(row) : undefined;
      if (!place) return;
      // The row still stands here; behind this turn the table is as it will be.
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusRowAt(place);
      });
    };
  }, [ref]);
}

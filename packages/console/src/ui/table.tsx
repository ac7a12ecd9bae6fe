import { ArrowDown, ArrowUp } from "lucide-react";
import { type ReactNode, type RefObject, useLayoutEffect, useRef } from "react";
import { focusRowAt, rowPlaceOf } from "./row-place.ts";

export interface Column {
  readonly label: string;
  /** Hidden on a phone. */
  readonly wide?: boolean;
  /** For numbers and buttons: right-aligned, without line breaks. */
  readonly end?: boolean;
  /** For paths, keys, errors and other texts of callers: lines may break anywhere. Other columns break between words. */
  readonly free?: boolean;
  /** The head is only for screen readers. */
  readonly silent?: boolean;
  /** Hidden except on a wide screen. */
  readonly widest?: boolean;
  /** The list is sorted by this column, and can be reversed. */
  readonly sort?: {
    readonly direction: "ascending" | "descending";
    readonly label: string;
    readonly onReverse: () => void;
  };
}

/** Negative margins keep a button on the line of the text beside it, without a higher row. */
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
  /** The id of the row's subject, for keys that act on it. */
  readonly about?: string;
  readonly isSelected?: boolean;
}

/** One row. The keys j and k focus its link with `data-row-link`. */
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

/** When a focused row is removed, for example after a decision, moves the focus to the row that takes its place. */
function useHandedOnFocus(ref: RefObject<HTMLElement | null>): void {
  useLayoutEffect(() => {
    const row = ref.current;
    return () => {
      const place = row?.contains(document.activeElement) ? rowPlaceOf(row) : undefined;
      if (!place) return;
      // The row is still in the table here; after this turn the table is updated.
      queueMicrotask(() => {
        if (document.activeElement === document.body) focusRowAt(place);
      });
    };
  }, [ref]);
}

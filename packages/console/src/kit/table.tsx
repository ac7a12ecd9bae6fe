import type { ReactNode } from "react";

export interface Column {
  readonly label: string;
  /** Left out on a phone. */
  readonly wide?: boolean;
  readonly end?: boolean;
  /** Only for those who hear the page. */
  readonly silent?: boolean;
}

const cellClass = ({ wide, end }: Column) =>
  `${wide ? "hidden md:table-cell" : ""} ${end ? "text-right" : "text-left"} px-3 py-2 align-top sm:px-4`;

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
          <tr className="text-xs text-faint">
            {columns.map((column) => (
              <th
                key={column.label}
                scope="col"
                className={`${cellClass(column)} font-medium whitespace-nowrap`}
              >
                {column.silent ? <span className="sr-only">{column.label}</span> : column.label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
    </div>
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
  return (
    <tr
      data-row={about ?? ""}
      className={`border-t border-line focus-within:bg-accent-wash hover:bg-raised ${isSelected ? "bg-accent-wash" : ""}`}
    >
      {columns.map((column, index) => (
        <td key={column.label} className={`${cellClass(column)} wrap-anywhere`}>
          {cells[index]}
        </td>
      ))}
    </tr>
  );
}

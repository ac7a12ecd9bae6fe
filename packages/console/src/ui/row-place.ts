/** The position of a row, to find the row that takes its place later. */
export interface RowPlace {
  readonly table: Element;
  readonly index: number;
}

const ROW = "[data-row]";

/** The position of the row that contains an element; undefined if there is none in the page. */
export function rowPlaceOf(element: Element | null): RowPlace | undefined {
  const row = element?.closest(ROW);
  const table = row?.closest("table");
  return row && table ? { table, index: [...table.querySelectorAll(ROW)].indexOf(row) } : undefined;
}

/** Focuses the row now at this position, or the last row. Returns false if the table was removed. */
export function focusRowAt({ table, index }: RowPlace): boolean {
  if (!table.isConnected) return false;
  const rows = [...table.querySelectorAll(ROW)];
  const link = (rows[index] ?? rows.at(-1))?.querySelector<HTMLElement>("[data-row-link]");
  link?.focus();
  return link != null;
}

/** Where a row stands on the page, so that the focus finds the one that stands there after it. */
export interface RowPlace {
  readonly table: Element;
  readonly index: number;
}

const ROW = "[data-row]";

/** The place of the row that holds an element, as long as that row is in the page. */
export function rowPlaceOf(element: Element | null): RowPlace | undefined {
  const row = element?.closest(ROW);
  const table = row?.closest("table");
  return row && table ? { table, index: [...table.querySelectorAll(ROW)].indexOf(row) } : undefined;
}

/** Focuses the row that stands there now, or the last one above; false where the table has gone. */
export function focusRowAt({ table, index }: RowPlace): boolean {
  if (!table.isConnected) return false;
  const rows = [...table.querySelectorAll(ROW)];
  const link = (rows[index] ?? rows.at(-1))?.querySelector<HTMLElement>("[data-row-link]");
  link?.focus();
  return link != null;
}

import type { ListItem, Store, StoreTx } from "../ports/store.ts";

/** Jobs per row of a list, which is also the most that one step takes. */
export const ITEMS_PER_ROW = 1_000;
/** Rows per transaction: a few milliseconds on SQLite, where other writers wait meanwhile. */
const ROWS_AT_ONCE = 20;

/**
 * Appends items to a list in short transactions; `from` is the number of its next row. Returns the number after its
 * last row, or undefined if `mayWrite` refused.
 */
export async function writeList(
  store: Store,
  list: string,
  items: readonly ListItem[],
  from: number,
  mayWrite: (tx: StoreTx) => Promise<boolean> = async () => true,
): Promise<number | undefined> {
  const rows = rowsOf(items);
  for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
    const some = rows.slice(at, at + ROWS_AT_ONCE);
    const isWritten = await store.transaction("operation", async (tx) => {
      if (!(await mayWrite(tx))) return false;
      await tx.addSteps(list, from + at, some);
      return true;
    });
    if (!isWritten) return undefined;
  }
  return from + rows.length;
}

export function rowsOf(items: readonly ListItem[]): ListItem[][] {
  const rows: ListItem[][] = [];
  for (let at = 0; at < items.length; at += ITEMS_PER_ROW) rows.push(items.slice(at, at + ITEMS_PER_ROW));
  return rows;
}

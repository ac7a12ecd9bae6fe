/**
 * Rows with the same beginning of an index, in the order of that index. Use `where` and `order` of the result together.
 *
 * PostgreSQL drops a column that equals a constant from the sort order, and may then scan another index that has only
 * the rest of the order, through the rows of all other queues: it reads all of them, however few rows are requested. As
 * a range, and with the complete order, only this index can serve.
 */
export function alongIndex(
  pinned: Readonly<Record<string, string>>,
  rest: readonly string[],
  direction: "" | " desc" = "",
): { readonly where: string; readonly order: string } {
  const columns = rowOf(Object.keys(pinned));
  const values = rowOf(Object.values(pinned));
  return {
    where: `${columns} >= ${values} and ${columns} <= ${values}`,
    order: [...Object.keys(pinned), ...rest].map((column) => `${column}${direction}`).join(", "),
  };
}

function rowOf(members: readonly string[]): string {
  return members.length === 1 ? (members[0] as string) : `(${members.join(", ")})`;
}

/**
 * Rows of one beginning of an index, in the order of that index: `where ${alongIndex(…).where} order by ${….order}`.
 *
 * Of a column that equals something PostgreSQL knows that it needs no place in the order, and so it may follow another
 * index that has the rest of the order alone, through the rows of everybody else: however few of them are asked for, it
 * then reads all. Said as a range, and with the whole order, only the one index can serve.
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

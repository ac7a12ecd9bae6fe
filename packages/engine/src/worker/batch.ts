/** What one statement carries at most, in bytes of what jobs bring: PostgreSQL refuses a JSON value of 256 MB. */
const MOST_BYTES = 8_000_000;

/** How many of these, from the first on, go into one statement: at least one, at most `most`, and no more bytes than fit. */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
  ...texts: readonly ((item: Item) => string | null)[]
): number {
  const end = Math.min(items.length, most);
  let bytes = 0;
  for (let count = 0; count < end; count++) {
    for (const textOf of texts) bytes += bytesIn(textOf(items[count] as Item));
    if (bytes > MOST_BYTES) return Math.max(1, count);
  }
  return end;
}

function bytesIn(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

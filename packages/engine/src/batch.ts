/** What one statement carries at most of what jobs bring, in bytes: PostgreSQL refuses a JSON value of 256 MB. */
const MOST_BYTES = 8_000_000;

/**
 * How many of these, from the first on, go into one statement: at least one if there is any, at most `most` by their
 * `weight`, and no more bytes than fit.
 */
export function firstOf<Item>(
  items: readonly Item[],
  most: number,
  bytesOf: (item: Item) => number,
  weight: (item: Item) => number = () => 1,
): number {
  let weights = 0;
  let bytes = 0;
  for (let count = 0; count < items.length; count++) {
    const item = items[count] as Item;
    weights += weight(item);
    bytes += bytesOf(item);
    if (weights > most || bytes > MOST_BYTES) return Math.max(1, count);
  }
  return items.length;
}

export function bytesIn(text: string | null): number {
  return text === null ? 0 : Buffer.byteLength(text);
}

/** The most bytes of job data in one statement. PostgreSQL refuses a JSON value of 256 MB. */
const MOST_BYTES = 8_000_000;

/**
 * How many items, from the first on, go into one statement: at least one if there is any, of a total `weight` of at
 * most `most`, and of at most MOST_BYTES.
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

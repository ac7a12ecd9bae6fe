/**
 * Lists of parameters for statements that both databases understand. Lengths are few, mostly powers of two: a
 * statement's text is prepared and kept.
 */

/** `$2, $3, …` for `in (…)`, and the parameters to it; the last one is repeated where the list is filled up. */
export function inList(values: readonly string[], before: number): { list: string; params: string[] } {
  const length = 2 ** Math.ceil(Math.log2(Math.max(values.length, 1)));
  const params = Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)] ?? "");
  return { list: params.map((_, index) => `$${before + index + 1}`).join(", "), params };
}

const MOST_ROWS = 512;
/** So many rows go as they are: the files of one moment are a handful, and would be two or three statements. */
const A_HANDFUL = 8;

/** Splits rows into batches for `insert … values`, with their placeholders and parameters. */
export function* rowBatches(
  rows: readonly (readonly unknown[])[],
): Generator<{ values: string; params: unknown[] }> {
  for (let at = 0, length = MOST_ROWS; at < rows.length; ) {
    const left = rows.length - at;
    if (left <= A_HANDFUL) length = left;
    while (length > left) length /= 2;
    const batch = rows.slice(at, at + length);
    let number = 0;
    const values = batch.map((row) => `(${row.map(() => `$${++number}`).join(", ")})`).join(", ");
    yield { values, params: batch.flat() };
    at += length;
  }
}

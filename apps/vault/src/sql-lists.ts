/**
 * Lists of parameters for statements that work on both databases. Only few lengths occur, mostly powers of two, because
 * each text of a statement is prepared and cached.
 */

/** `$2, $3, …` for `in (…)`, and its parameters. The last value is repeated to fill up the list. */
export function inList(values: readonly string[], before: number): { list: string; params: string[] } {
  const length = 2 ** Math.ceil(Math.log2(Math.max(values.length, 1)));
  const params = Array.from({ length }, (_, index) => values[Math.min(index, values.length - 1)] ?? "");
  return { list: params.map((_, index) => `$${before + index + 1}`).join(", "), params };
}

const MOST_ROWS = 512;
/**
 * Up to this many rows are not split: the files of one moment are only a few, and would otherwise take two or three
 * statements.
 */
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

import { AndonError } from "@andon/contract";
import type { ByteRange } from "@andon/engine";

/** The bytes that a range means, both ends included; undefined where all of them are meant. */
export function partOf(
  range: ByteRange | undefined,
  size: number,
): { start: number; end: number } | undefined {
  if (!range) return undefined;
  const { start, end } = range;
  if (start === undefined) return lastBytes(end ?? 0, size);
  // A range that ends before it begins is no range (RFC 9110, 14.1.1), and means nothing.
  if (end !== undefined && end < start) return undefined;
  if (start >= size) throw new AndonError("RANGE_BEYOND_END", { size });
  return { start, end: Math.min(end ?? size - 1, size - 1) };
}

function lastBytes(count: number, size: number): { start: number; end: number } {
  if (count === 0 || size === 0) throw new AndonError("RANGE_BEYOND_END", { size });
  return { start: Math.max(0, size - count), end: size - 1 };
}

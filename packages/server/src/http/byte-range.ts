import type { ByteRange } from "@andon/app";
import { AndonError } from "@andon/contract";

/** The bytes of a Range header; undefined for the whole, and for a header that is not understood. */
export function partOf(header: string, size: number): ByteRange | undefined {
  const [, first, last] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header) ?? [];
  if (first === undefined || last === undefined || (first === "" && last === "")) return undefined;
  if (first === "") return lastBytes(Number(last), size);
  const start = Number(first);
  const end = last === "" ? size - 1 : Number(last);
  // A range that ends before it begins is invalid (RFC 9110, 14.1.1) and is ignored.
  if (last !== "" && end < start) return undefined;
  if (start >= size) throw new AndonError("RANGE_BEYOND_END", { size });
  return { start, end: Math.min(end, size - 1) };
}

function lastBytes(count: number, size: number): ByteRange {
  if (count === 0 || size === 0) throw new AndonError("RANGE_BEYOND_END", { size });
  return { start: Math.max(0, size - count), end: size - 1 };
}

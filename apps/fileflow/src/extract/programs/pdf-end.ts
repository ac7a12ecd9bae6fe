/**
 * Marks at the end of a PDF and of each of its updates. Bytes after the last one are padding, or were appended by a transfer.
 */
const END_MARKS = ["%%EOF", "startxref"];
const OBJECT = /(?<!\d)(\d{1,10})\s+(\d{1,5})\s+obj\b/g;
const REFERENCE = /(?<!\d)(\d{1,10})\s+(\d{1,5})\s+R\b/g;
const STREAM = /\bstream\r?\n/;

/**
 * Whether the end of a PDF is missing. pdf.js repairs such a file and returns the text of some pages as if it were complete.
 * Many complete files lack their last line or have bytes after it. A file counts as truncated if objects follow its last end
 * mark, or if it has no end mark and refers to an object that it does not contain.
 */
export function isCutOff(bytes: Buffer): boolean {
  const end = Math.max(...END_MARKS.map((mark) => bytes.lastIndexOf(mark, undefined, "latin1")));
  if (end >= 0) return namesIn(bytes.subarray(end).toString("latin1"), OBJECT).size > 0;
  return !isWhole(bytes.toString("latin1"));
}

/**
 * Whether the text ends with a complete object and contains every object that it refers to. False if objects may be inside
 * streams, which cannot be checked here.
 */
function isWhole(text: string): boolean {
  const plain = withoutStreams(text);
  if (plain === undefined || /\/(ObjStm|XRef)\b/.test(plain)) return false;
  const last = [...plain.matchAll(OBJECT)].at(-1);
  if (!last || !plain.includes("endobj", last.index)) return false;
  const known = namesIn(plain, OBJECT);
  return [...namesIn(plain, REFERENCE)].every((name) => known.has(name));
}

/** The text without binary streams, whose bytes may look like objects; undefined if a stream does not end. */
function withoutStreams(text: string): string | undefined {
  const parts = text.split("endstream");
  const rest = parts.pop() ?? "";
  if (STREAM.test(rest)) return undefined;
  return [...parts.map((part) => part.slice(0, Math.max(0, part.search(STREAM)))), rest].join(" ");
}

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set(Array.from(text.matchAll(pattern), ([, number, generation]) => `${number} ${generation}`));
}

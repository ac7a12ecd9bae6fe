/** Where a PDF, or one of its updates, has its end: what comes then is padding, or something that a transfer has appended. */
const END_MARKS = ["%%EOF", "startxref"];
const OBJECT = /(?<!\d)(\d{1,10})\s+(\d{1,5})\s+obj\b/g;
const REFERENCE = /(?<!\d)(\d{1,10})\s+(\d{1,5})\s+R\b/g;
const STREAM = /\bstream\r?\n/;

/**
 * Whether the end of a PDF is missing. pdf.js repairs such a file and gives the text of some pages, as if it were all. Many files
 * that lack their last line, or go on after it, are whole; one is cut off if objects follow its last end mark, or if it has none
 * and an object that it names is not there.
 */
export function isCutOff(bytes: Buffer): boolean {
  const end = Math.max(...END_MARKS.map((mark) => bytes.lastIndexOf(mark, undefined, "latin1")));
  if (end >= 0) return namesIn(bytes.subarray(end).toString("latin1"), OBJECT).size > 0;
  return !isWhole(bytes.toString("latin1"));
}

/** Ends with a whole object and has every object that it names. Objects inside of streams cannot be seen here: then it counts as cut off. */
function isWhole(text: string): boolean {
  const plain = withoutStreams(text);
  if (plain === undefined || /\/(ObjStm|XRef)\b/.test(plain)) return false;
  const last = [...plain.matchAll(OBJECT)].at(-1);
  if (!last || !plain.includes("endobj", last.index)) return false;
  const known = namesIn(plain, OBJECT);
  return [...namesIn(plain, REFERENCE)].every((name) => known.has(name));
}

/** Without binary content, which may look like objects; undefined where a stream does not end. */
function withoutStreams(text: string): string | undefined {
  const parts = text.split("endstream");
  const rest = parts.pop() ?? "";
  if (STREAM.test(rest)) return undefined;
  return [...parts.map((part) => part.slice(0, Math.max(0, part.search(STREAM)))), rest].join(" ");
}

function namesIn(text: string, pattern: RegExp): Set<string> {
  return new Set(Array.from(text.matchAll(pattern), ([, number, generation]) => `${number} ${generation}`));
}

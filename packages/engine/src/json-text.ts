import { safeRead, UNREADABLE } from "./lifecycle/safe-read.ts";

/** In bytes of UTF-8. A job is a row, not a file, and is read with every page: larger things belong in a file store. */
export const LARGEST_JSON = 1_000_000;
/** The most UTF-8 bytes of one unit of a JavaScript string: most texts need no counting. */
const MOST_BYTES_PER_UNIT = 3;

/** The number of bytes of a text that is too long to be stored; else undefined. */
export function tooManyBytes(text: string): number | undefined {
  if (text.length * MOST_BYTES_PER_UNIT <= LARGEST_JSON) return undefined;
  const bytes = Buffer.byteLength(text);
  return bytes > LARGEST_JSON ? bytes : undefined;
}

const NAMES = { result: "the handler's result", progress: "the progress", cursor: "the cursor" } as const;

/** A handler's value as JSON. A value that JSON omits silently (a function, a symbol) is refused too. */
export function jsonText(kind: keyof typeof NAMES, value: unknown): string {
  const what = NAMES[kind];
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    const why = safeRead(() => String((cause as Error).message), UNREADABLE);
    throw new TypeError(`${what} is not JSON: ${why}`, { cause });
  }
  if (text === undefined) throw new TypeError(`${what} is not JSON: it is a ${typeof value}`);
  const bytes = tooManyBytes(text);
  if (bytes !== undefined) {
    const error = new RangeError(`${what} is too large: ${bytes} bytes, at most ${LARGEST_JSON}`);
    throw Object.assign(error, { code: `${kind.toUpperCase()}_TOO_LARGE` });
  }
  return text;
}

/** The result of a handler as JSON; null if there is none. */
export function resultText(result: unknown): string | null {
  if (result === undefined || result === null) return null;
  try {
    return jsonText("result", result);
  } catch (error) {
    throw error instanceof RangeError
      ? error
      : Object.assign(error as TypeError, { code: "RESULT_NOT_JSON" });
  }
}

import { readable, UNREADABLE } from "./lifecycle/readable.ts";

/** A handler's value as JSON. What JSON leaves out without a word (a function, a symbol) is refused like the rest. */
export function jsonText(what: string, value: unknown): string {
  let text: string | undefined;
  try {
    text = JSON.stringify(value);
  } catch (cause) {
    const why = readable(() => String((cause as Error).message), UNREADABLE);
    throw new TypeError(`${what} is not JSON: ${why}`, { cause });
  }
  if (text === undefined) throw new TypeError(`${what} is not JSON: it is a ${typeof value}`);
  return text;
}

/** The result of a handler as JSON, null where there is none. */
export function resultText(result: unknown): string | null {
  if (result === undefined || result === null) return null;
  try {
    return jsonText("the handler's result", result);
  } catch (error) {
    throw Object.assign(error as TypeError, { code: "RESULT_NOT_JSON" });
  }
}

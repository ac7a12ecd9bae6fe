import { inspect } from "node:util";
import { errorMessage, isAndonError, type Localized } from "@andon/contract/plain";
import { isError, safeRead, UNREADABLE } from "./safe-read.ts";

/** Bounds the recursion: the causes of errors may form a cycle. */
const DEEPEST = 5;

/** The code of an error, or else the first code among its causes: `fetch` itself only reports that it failed. */
export function codeIn(error: Error, depth = 0): string | undefined {
  const own = safeRead(() => (error as { code?: unknown }).code, undefined);
  if (typeof own === "string" && own !== "") return own;
  if (depth === DEEPEST) return undefined;
  for (const cause of causesOf(error)) {
    const code = codeIn(cause, depth + 1);
    if (code !== undefined) return code;
  }
  return undefined;
}

/** The message of an error and, if the error has no code and so says little, the messages of its causes. */
export function messageIn(error: Error, depth = 0): string {
  const own = safeRead(() => textOf(error.message), UNREADABLE);
  const saysAll = own !== "" && safeRead(() => typeof (error as { code?: unknown }).code === "string", true);
  if (saysAll || depth === DEEPEST) return own;
  const causes = causesOf(error).map((cause) => messageIn(cause, depth + 1));
  const news = [...new Set(causes)].filter((text) => text !== "" && !own.includes(text));
  return [own, news.join(", ")].filter((text) => text !== "").join(": ");
}

/** The message of an error in both languages: of an AndonError, or of an error that has its texts in `localized`. */
export function textsIn(error: Error): Localized | undefined {
  return safeRead(() => {
    if (isAndonError(error)) {
      const { entry, details } = error;
      return { en: errorMessage(entry, details, "en"), ko: errorMessage(entry, details, "ko") };
    }
    const { en, ko } = ((error as { localized?: unknown }).localized ?? {}) as Partial<Localized>;
    return typeof en === "string" && typeof ko === "string" ? { en, ko } : undefined;
  }, undefined);
}

/** The text of any value: handlers throw anything, and errors may have any value where text is expected. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : safeRead(() => inspect(value, { depth: 2 }), UNREADABLE);
}

const MOST_CAUSES = 5;

/** The `cause` of an error, and the `errors` of an AggregateError. */
function causesOf(error: Error): Error[] {
  const { cause, errors } = safeRead(
    () => ({ cause: error.cause, errors: (error as { errors?: unknown }).errors }),
    { cause: undefined, errors: undefined },
  );
  const all = Array.isArray(errors) ? errors.slice(0, MOST_CAUSES) : [];
  return [cause, ...all].filter(isError);
}

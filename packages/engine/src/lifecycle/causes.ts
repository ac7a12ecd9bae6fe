import { inspect } from "node:util";
import { errorMessage, isAndonError, type Localized } from "@andon/contract/plain";
import { isError, safeRead, UNREADABLE } from "./safe-read.ts";

/** Errors may be caused by each other in a circle. */
const DEEPEST = 5;

/** The code that an error bears. One without is asked for what caused it: `fetch` itself says only that it failed. */
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

/** What an error says and, where it bears no code and so says little, what its causes say. */
export function messageIn(error: Error, depth = 0): string {
  const own = safeRead(() => textOf(error.message), UNREADABLE);
  const saysAll = own !== "" && safeRead(() => typeof (error as { code?: unknown }).code === "string", true);
  if (saysAll || depth === DEEPEST) return own;
  const causes = causesOf(error).map((cause) => messageIn(cause, depth + 1));
  const news = [...new Set(causes)].filter((text) => text !== "" && !own.includes(text));
  return [own, news.join(", ")].filter((text) => text !== "").join(": ");
}

/** What an error says in both languages: one of ours, or one that carries its texts as `localized`. */
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

/** Handlers throw anything, and errors carry anything where text should be. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : safeRead(() => inspect(value, { depth: 2 }), UNREADABLE);
}

const MOST_CAUSES = 5;

/** What it was caused by, or what it is made of. */
function causesOf(error: Error): Error[] {
  const { cause, errors } = safeRead(
    () => ({ cause: error.cause, errors: (error as { errors?: unknown }).errors }),
    { cause: undefined, errors: undefined },
  );
  const all = Array.isArray(errors) ? errors.slice(0, MOST_CAUSES) : [];
  return [cause, ...all].filter(isError);
}

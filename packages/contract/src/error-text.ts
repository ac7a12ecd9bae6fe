import type { Language, Localized } from "./errors.ts";

/** An error in one line: its message, behind its code where the message does not tell it. */
export function errorText(error: { code: string | null; message: string | null }): string {
  const { code, message } = error;
  if (!message) return code ?? "";
  const isTold = !code || code === "Error" || message.includes(code);
  return isTold ? message : `${code}: ${message}`;
}

/** As much of a stored error as says what happened. */
interface StoredError {
  readonly code: string | null;
  readonly message: string | null;
  readonly texts?: Localized | undefined;
}

/** A stored error with its message in the reader's language, where it is one of ours; a handler's own stays as it is. */
export function localError<Error extends StoredError>(
  { texts, ...error }: Error,
  language: Language,
): Omit<Error, "texts"> {
  return texts ? { ...error, message: texts[language] } : error;
}

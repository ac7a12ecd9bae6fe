import type { Language, Localized } from "./errors.ts";

/** An error in one line: its message, with the code before it unless the message contains the code. */
export function errorText(error: { code: string | null; message: string | null }): string {
  const { code, message } = error;
  if (!message) return code ?? "";
  const isTold = !code || code === "Error" || message.includes(code);
  return isTold ? message : `${code}: ${message}`;
}

/** The part of a stored error that is shown to people. */
interface StoredError {
  readonly code: string | null;
  readonly message: string | null;
  readonly texts?: Localized | undefined;
}

/** A stored error with its message in the reader's language. Only messages of Andon are translated; a handler's stays as it is. */
export function localError<Error extends StoredError>(
  { texts, ...error }: Error,
  language: Language,
): Omit<Error, "texts"> {
  return texts ? { ...error, message: texts[language] } : error;
}

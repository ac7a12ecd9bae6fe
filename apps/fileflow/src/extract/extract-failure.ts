import { ExtractError } from "./port.ts";

/** Every error code of a request. `irreversible`: the file itself is the cause, so another attempt would fail too. */
const FAILURES = {
  EXTRACT_ENCRYPTED: { irreversible: true },
  EXTRACT_CORRUPT: { irreversible: true },
  EXTRACT_BOMB: { irreversible: true },
  EXTRACT_UNSUPPORTED: { irreversible: true },
  EXTRACT_MEMORY: { irreversible: true },
  // A busy machine makes a healthy file slow, and a process may be killed from outside.
  EXTRACT_TIMEOUT: { irreversible: false },
  EXTRACT_CRASHED: { irreversible: false },
  EXTRACT_IO: { irreversible: false },
  EXTRACT_CLOSED: { irreversible: false },
} as const;

export type ExtractCode = keyof typeof FAILURES;

export const isExtractCode = (code: unknown): code is ExtractCode =>
  typeof code === "string" && Object.hasOwn(FAILURES, code);

export function extractFailure(code: ExtractCode, message: string): ExtractError {
  return new ExtractError(code, message, FAILURES[code].irreversible);
}

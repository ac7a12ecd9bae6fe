import { RefusedError } from "@andon/client";

/** How a proxy says that the server behind it does not answer. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a call ended without a word from the server: what it asked for may have been done, or not. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof RefusedError) || (error.problem === undefined && GATEWAY.has(error.status));
}

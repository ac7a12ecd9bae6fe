import { RefusedError } from "@andon/client";

/** The statuses with which a proxy reports that the server behind it does not answer. */
const GATEWAY: ReadonlySet<number> = new Set([502, 503, 504]);

/** Whether a call ended without an answer from the server. It is then unknown whether the request was carried out. */
export function isUnanswered(error: unknown): boolean {
  return !(error instanceof RefusedError) || (error.problem === undefined && GATEWAY.has(error.status));
}

import type { QueueRules } from "@andon/contract";
import type { Random } from "../ports/random.ts";

/** Milliseconds to wait after the given number of charged failures. */
export function backoffDelay(backoff: QueueRules["backoff"], failures: number, random: Random): number {
  const grown = backoff.type === "fixed" ? backoff.delay : backoff.delay * 2 ** Math.min(failures - 1, 40);
  const capped = Math.min(grown, backoff.max);
  return Math.round(capped * (1 - backoff.jitter * random.next()));
}

import { iso } from "@andon/contract";

/** Why a queue is stopped, as stored in the hash `<prefix>:<queue>:andon:stop`. */
export interface Stop {
  /** The id of the `paused` event in the queue's event stream. No start has a later id while the queue is stopped. */
  readonly stopId: string;
  readonly pausedAt: string;
  readonly pauseReason: string;
  readonly pausedBy: string;
  /** The job whose final failure stopped the queue; null for a pause by hand. */
  readonly failedJobId: string | null;
  readonly failedReason: string | null;
  readonly attemptsMade: number | null;
  /** How many other jobs were running, or fetched to run, at that moment: they finish. */
  readonly running: number;
}

/** Redis returns a hash as a flat list of names and values. */
function hashOf(answer: unknown): Record<string, string> {
  const flat = answer as string[];
  const hash: Record<string, string> = {};
  for (let n = 0; n + 1 < flat.length; n += 2) hash[flat[n] as string] = flat[n + 1] as string;
  return hash;
}

export function stopOf(answer: unknown): Stop | null {
  const hash = hashOf(answer);
  if (!hash.stopId) return null;
  return {
    stopId: hash.stopId,
    pausedAt: iso(Number(hash.pausedAt)),
    pauseReason: hash.pauseReason ?? "",
    pausedBy: hash.pausedBy ?? "",
    failedJobId: hash.failedJobId ?? null,
    failedReason: hash.failedReason ?? null,
    attemptsMade: hash.attemptsMade === undefined ? null : Number(hash.attemptsMade),
    running: Number(hash.running ?? 0),
  };
}

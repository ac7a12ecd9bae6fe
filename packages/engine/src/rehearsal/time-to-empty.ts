import type { HistoryPoint, HistoryStepName } from "@andon/contract";
import { historyOf } from "../history/history-of.ts";
import { HISTORY_STEPS } from "../history/steps.ts";
import type { Store } from "../ports/store.ts";

/** The last hour by the minute, else the last week by the hour. */
const LOOKED_AT: readonly { readonly step: HistoryStepName; readonly points: number }[] = [
  { step: "1m", points: 61 },
  { step: "1h", points: 7 * 24 + 1 },
];

/** How long a queue would take for this many jobs at its measured pace; null if its pace is not known. */
export async function timeToEmpty(store: Store, queue: string, jobs: number): Promise<number | null> {
  if (jobs === 0) return 0;
  for (const { step, points } of LOOKED_AT) {
    const { ms } = HISTORY_STEPS[step];
    const from = Math.max(0, store.clock.now() - (points - 1) * ms);
    const pace = paceOf((await historyOf(store, queue, { step, from })).points, ms);
    if (pace !== null) return Math.ceil(jobs / pace);
  }
  return null;
}

/**
 * Jobs done per millisecond. Steps at whose end jobs still waited show how fast the queue can be; other steps count
 * only without those, and the running step only if there is no other.
 */
export function paceOf(
  points: readonly Pick<HistoryPoint, "done" | "waiting">[],
  stepMs: number,
): number | null {
  const whole = points.slice(0, -1).filter(({ done }) => done > 0);
  const busy = whole.filter(({ waiting }) => waiting !== null && waiting > 0);
  const told = busy.length > 0 ? busy : whole.length > 0 ? whole : points.filter(({ done }) => done > 0);
  if (told.length === 0) return null;
  return told.reduce((sum, { done }) => sum + done, 0) / (told.length * stepMs);
}

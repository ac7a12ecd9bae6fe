import type { QueueOverview } from "../api/client.ts";
import type { Words } from "../i18n/en.ts";
import { spanText } from "../ui/time.tsx";

const MINUTE_MS = 60_000;

/** The estimated time until no job waits, at the rate of the last minute; null if there is no estimate. */
export function millisecondsUntilEmpty({ state, waiting, donePerMinute }: QueueOverview): number | null {
  if (state !== "open" || waiting === 0 || !donePerMinute) return null;
  return (waiting / donePerMinute) * MINUTE_MS;
}

export function drainText(queue: QueueOverview, words: Words): string {
  const { state, waiting, active, delayed, donePerMinute } = queue;
  if (waiting + active + delayed === 0) return words.board.drainEmpty;
  if (state === "stopped") return words.board.drainStands;
  if (state === "degraded") return words.board.drainDegraded;
  if (waiting === 0) return delayed > 0 ? words.board.drainDelayed : words.board.drainRuns;
  if (donePerMinute === null) return "–";
  const ms = millisecondsUntilEmpty(queue);
  return ms === null ? words.board.drainNever : spanText(ms, words);
}

import type { QueueOverview } from "../api/client.ts";
import type { Words } from "../i18n/en.ts";
import { spanText } from "../ui/time.tsx";

/** When nothing would wait any more, if it goes on like in the last minute. */
export function drainText(queue: QueueOverview, words: Words): string {
  const { state, waiting, active, delayed, donePerMinute } = queue;
  if (waiting + active + delayed === 0) return words.board.drainEmpty;
  if (state === "stopped") return words.board.drainStands;
  if (state === "degraded") return words.board.drainDegraded;
  if (waiting === 0) return delayed > 0 ? words.board.drainDelayed : words.board.drainRuns;
  if (donePerMinute === null) return "–";
  if (donePerMinute <= 0) return words.board.drainNever;
  return spanText((waiting / donePerMinute) * 60_000, words);
}

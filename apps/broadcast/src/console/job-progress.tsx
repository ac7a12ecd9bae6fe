import { ProgressBar, useNumber } from "@andon/console/room";
import type { BulkJob } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";

/** The progress of a job: a bar and the numbers. */
export function JobProgress({ job: { processed, total } }: { job: Pick<BulkJob, "processed" | "total"> }) {
  const say = useBroadcastWords();
  const number = useNumber();
  const text = total === null ? say.countedAtStart : say.progressOf(number(processed), number(total));
  return (
    <div className="min-w-28">
      <ProgressBar
        label={say.progress}
        {...(total === null ? { value: 0, max: 1 } : { value: processed, max: Math.max(1, total) })}
      />
      <p className="text-xs text-faint">{text}</p>
    </div>
  );
}

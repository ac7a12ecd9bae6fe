import type { ReactNode } from "react";
import type { JobDetail } from "../../api/client.ts";
import { useWords } from "../../i18n/words.ts";
import { useNow } from "../../ui/now.ts";
import { exactSpanText, spanText, Time } from "../../ui/time.tsx";

/** The important facts of a state, in addition to the rule that decides. */
export function StateSentence({ job }: { job: JobDetail }) {
  const words = useWords();
  const now = useNow();
  const say = words.job.state;
  switch (job.state) {
    case "scheduled":
      return <At at={job.runAt}>{say.due}</At>;
    case "blocked":
    case "ready":
    case "parked":
      return say.waits(spanText(now - Date.parse(job.createdAt), words));
    case "running":
      return say.running(spanText(now - Date.parse(job.startedAt ?? job.createdAt), words));
    case "done": {
      if (!job.startedAt || !job.finishedAt) return null;
      return say.done(exactSpanText(Date.parse(job.finishedAt) - Date.parse(job.startedAt), words));
    }
    case "failed":
    case "cancelled":
    case "skipped":
    case "aborted":
      return <At at={job.finishedAt}>{say[job.state]}</At>;
    case "resolved":
      return (
        <At at={job.resolution?.at ?? job.finishedAt}>
          {say.resolved} {job.resolution?.actor}
          {job.resolution?.reason && ` · ${job.resolution.reason}`}
        </At>
      );
    default:
      return job.state satisfies never;
  }
}

function At({ at, children }: { at: string | null; children: ReactNode }) {
  return (
    <>
      {children}
      {at && (
        <>
          {" · "}
          <Time at={at} show="both" />
        </>
      )}
    </>
  );
}

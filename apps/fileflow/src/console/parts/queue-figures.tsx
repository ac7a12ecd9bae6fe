import { Link, useAllowed, useLiveQuery } from "@andon/console/room";
import { DLQ, EXECUTIONS, executionsWith } from "../addresses.ts";
import { useFileflowWords } from "../i18n/words.ts";
import { BoundedCount } from "../marks.tsx";
import { fileflowQueries } from "../queries.ts";

const SHOWN = ["PENDING", "RUNNING", "FAILED", "TIMEOUT"] as const;

/** Executions and dead letters in one line, below the heading of the queue's page. */
export default function QueueFigures() {
  const { figures: say, common } = useFileflowWords();
  const maySee = useAllowed({ permission: "pipeline.read" });
  const maySeeLetters = useAllowed({ permission: "dlq.read" });
  const { data } = useLiveQuery({ ...fileflowQueries.counts(), enabled: maySee });
  const { data: letters } = useLiveQuery({ ...fileflowQueries.letterCounts(), enabled: maySeeLetters });
  if (!data) return null;
  return (
    <p
      data-queue-figures
      className="flex flex-wrap gap-x-4 gap-y-1 rounded-lg border border-line bg-panel px-4 py-2.5"
    >
      <Link to={EXECUTIONS}>{say.toExecutions}</Link>
      {SHOWN.map((status) => (
        <span key={status} className="whitespace-nowrap">
          <Link to={executionsWith({ status })}>{common.executionStatus[status]}</Link>{" "}
          <BoundedCount value={data.counts[status]} isMore={data.more.includes(status)} />
        </span>
      ))}
      {letters && (
        <span className="whitespace-nowrap">
          <Link to={`${DLQ}?state=DEAD`}>{say.toLetters}</Link>{" "}
          <BoundedCount value={letters.counts.DEAD} isMore={letters.more.includes("DEAD")} />
        </span>
      )}
    </p>
  );
}

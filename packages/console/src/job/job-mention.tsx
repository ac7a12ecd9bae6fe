import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { jobPath, Link } from "../ui/link.tsx";

interface JobMentionProps {
  readonly id: string;
  /** Shows the whole error, its first two lines, or the error behind the name in the same line. */
  readonly error?: "whole" | "short" | "inline";
  /** Its failure stopped a queue: if it is no longer failed, its current state is shown. */
  readonly isStopCause?: boolean;
}

/** A link to a job from another page: its ticket and its error. */
export function JobMention({ id, error = "short", isStopCause = false }: JobMentionProps) {
  const words = useWords();
  const { data: job } = useQuery(queries.job(id));
  const isOver = isStopCause && job && job.state !== "failed";
  return (
    <>
      <Link to={jobPath(id)} className="font-medium break-all text-ink underline">
        {job ? `#${job.ticket}` : id}
      </Link>
      {job && ` ${job.name}`}
      {isOver && ` (${WAITS_AGAIN.includes(job.state) ? words.queue.queuedAgain : words.state[job.state]})`}
      {job?.error && (
        <>
          {error === "inline" && ": "}
          <span className={ERROR_SHAPES[error]}>{job.error.message}</span>
        </>
      )}
    </>
  );
}

const ERROR_SHAPES = { whole: "block wrap-anywhere", short: "line-clamp-2 wrap-anywhere", inline: "" };

const WAITS_AGAIN: readonly string[] = ["scheduled", "blocked", "ready"];

/** The name for the job whose failure stopped a queue; `was` if a decision was made, so that it is no longer failed. */
export function StopCauseName({ id, was }: { id: string; was: string }) {
  const { queue: say } = useWords();
  const { data: job } = useQuery(queries.job(id));
  return job && job.state !== "failed" ? was : say.cause;
}

import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { jobPath, Link } from "../ui/link.tsx";

interface JobMentionProps {
  readonly id: string;
  /** Its error whole, in its first two lines, or behind the name in the same line. */
  readonly error?: "whole" | "short" | "inline";
  /** Its failure stopped a queue: said is how it stands now, where it is no failed job any more. */
  readonly isStopCause?: boolean;
}

/** A job that something else is about: its ticket, and what it failed with. */
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

/** What the job is called whose failure stopped a queue: once it is decided about, it is a failed job no more, but `was` one. */
export function StopCauseName({ id, was }: { id: string; was: string }) {
  const { queue: say } = useWords();
  const { data: job } = useQuery(queries.job(id));
  return job && job.state !== "failed" ? was : say.cause;
}

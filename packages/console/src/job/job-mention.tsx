import { useQuery } from "@tanstack/react-query";
import { queries } from "../api/queries.ts";
import { jobPath, Link } from "../kit/link.tsx";

/** A job that something else is about: its ticket, and what it failed with, `whole` or in its first two lines. */
export function JobMention({ id, whole = false }: { id: string; whole?: boolean }) {
  const { data: job } = useQuery(queries.job(id));
  return (
    <>
      <Link to={jobPath(id)} className="font-mono font-medium break-all text-ink underline">
        {job ? `#${job.ticket}` : id}
      </Link>
      {job && ` ${job.name}`}
      {job?.error && (
        <span className={`wrap-anywhere ${whole ? "block" : "line-clamp-2"}`}>{job.error.message}</span>
      )}
    </>
  );
}

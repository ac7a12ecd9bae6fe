import { useQuery } from "@tanstack/react-query";
import { Fragment } from "react";
import { queries } from "../api/queries.ts";
import { jobPath, Link } from "../ui/link.tsx";

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Facts and details contain job ids among other values. */
export function isJobId(value: unknown): value is string {
  return typeof value === "string" && ID.test(value);
}

/** A link to a job with its ticket, or with its id until the ticket is known. */
export function JobTicket({ id }: { id: string }) {
  const { data: job } = useQuery(queries.job(id));
  return (
    <Link to={jobPath(id)} className={`font-mono underline ${job ? "whitespace-nowrap" : "break-all"}`}>
      {job ? `#${job.ticket}` : id}
    </Link>
  );
}

/** A sentence in which every id of these jobs is replaced by a link. */
export function WithTickets({ text, ids }: { text: string; ids: readonly string[] }) {
  const [id, ...others] = ids;
  if (id === undefined) return text;
  return text.split(id).map((between, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one sentence keep their order
    <Fragment key={index}>
      {index > 0 && <JobTicket id={id} />}
      <WithTickets text={between} ids={others} />
    </Fragment>
  ));
}

import { Link, queuePath } from "../ui/link.tsx";

/** The address of a failed BullMQ job: on the page of its queue, because only the queue's routes have the job. */
export const failedJobPath = (queue: string, id: string) =>
  `${queuePath(queue)}?${new URLSearchParams({ job: id })}`;

interface BullmqCauseProps {
  readonly queue: string;
  readonly id: string;
  readonly error: string | null;
}

/** The job whose failure stopped a BullMQ queue, from the queue's stop record. */
export function BullmqCause({ queue, id, error }: BullmqCauseProps) {
  return (
    <>
      <Link to={failedJobPath(queue, id)} className="font-medium break-all text-ink underline">
        #{id}
      </Link>
      {error && <span className="line-clamp-3 wrap-anywhere">{error}</span>}
    </>
  );
}

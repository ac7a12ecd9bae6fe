import { Link, queuePath } from "../ui/link.tsx";

/** Where a failed job of BullMQ is read: beside its queue, which alone knows it. */
export const failedJobPath = (queue: string, id: string) =>
  `${queuePath(queue)}?${new URLSearchParams({ job: id })}`;

interface BullmqCauseProps {
  readonly queue: string;
  readonly id: string;
  readonly error: string | null;
}

/** The job whose failure stopped a queue that BullMQ runs, as its stop tells it. */
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

import type { JobSummary } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { jobPath, Link } from "../ui/link.tsx";
import { Name } from "../ui/name.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";
import { StateBadge } from "./states/state-view.tsx";

interface JobTableProps {
  readonly jobs: readonly JobSummary[];
  readonly label: string;
  /** Absent: nothing can be selected. */
  readonly selection?:
    | { readonly has: (id: string) => boolean; readonly toggle: (id: string) => void }
    | undefined;
}

export function JobTable({ jobs, label, selection }: JobTableProps) {
  const { jobs: say, job: jobWords, common } = useWords();
  const columns: readonly Column[] = [
    ...(selection ? [{ label: say.selectPage, silent: true }] : []),
    { label: say.what },
    { label: say.state },
    { label: say.key, wide: true, free: true },
    { label: jobWords.error, wide: true, free: true },
    { label: say.made, wide: true },
  ];
  const cells = (job: JobSummary) => [
    ...(selection
      ? [
          <input
            key="select"
            type="checkbox"
            className="size-4 accent-accent"
            aria-label={say.selectRow(job.ticket)}
            checked={selection.has(job.id)}
            onChange={() => selection.toggle(job.id)}
          />,
        ]
      : []),
    <div key="what" className="min-w-24 md:min-w-44">
      <Link
        row
        to={jobPath(job.id)}
        className="font-mono font-semibold whitespace-nowrap text-accent hover:underline"
      >
        #{job.ticket}
      </Link>
      <p className="text-xs text-faint">
        <Name>{job.queue}</Name>
        {job.name !== job.queue && (
          <>
            {" · "}
            <Name>{job.name}</Name>
          </>
        )}
      </p>
      <div className="text-xs md:hidden">
        {job.error && <p className="line-clamp-2 wrap-anywhere text-stop-ink">{job.error.message}</p>}
        <p className="line-clamp-2 wrap-anywhere text-faint">
          {job.keys.length > 0 && `${job.keys.join(", ")} · `}
          <Time at={job.finishedAt ?? job.createdAt} />
        </p>
      </div>
    </div>,
    <StateBadge key="state" state={job.state} />,
    job.keys.length === 0 ? (
      <span key="key" className="text-faint">
        {common.none}
      </span>
    ) : (
      // However long a key is, the error beside it has to be read.
      <span key="key" title={job.keys.join(", ")} className="block max-w-64 truncate">
        {job.keys.join(", ")}
      </span>
    ),
    <p key="error" className="line-clamp-2">
      {job.error?.message ?? ""}
    </p>,
    <Time key="made" at={job.createdAt} />,
  ];
  return (
    <Table label={label} columns={columns}>
      {jobs.map((job) => (
        <Row
          key={job.id}
          about={job.id}
          columns={columns}
          cells={cells(job)}
          isSelected={selection?.has(job.id) ?? false}
        />
      ))}
    </Table>
  );
}

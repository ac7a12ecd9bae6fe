import type { JobState } from "@andon/contract";
import { memo, useCallback, useMemo, useRef } from "react";
import type { JobSummary } from "../api/client.ts";
import { useWords } from "../i18n/words.ts";
import { attemptsOf } from "../job/attempts.ts";
import { PendingDecision } from "../job/pending-decision.tsx";
import { jobPath, Link } from "../ui/link.tsx";
import { Name } from "../ui/name.tsx";
import { Count } from "../ui/number.tsx";
import { SelectRow } from "../ui/select-page.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Span, Time } from "../ui/time.tsx";
import { WorkerName } from "../ui/worker-name.tsx";
import { StateBadge } from "./states/state-view.tsx";

interface JobTableProps {
  readonly jobs: readonly JobSummary[];
  readonly label: string;
  /** The state of all jobs, if it is one; it determines the time by which the list is ordered. */
  readonly state?: JobState | undefined;
  /** Absent: the order cannot be changed. */
  readonly order?: { readonly isReversed: boolean; readonly onReverse: () => void } | undefined;
  /** Absent: nothing can be selected. */
  readonly selection?:
    | { readonly has: (id: string) => boolean; readonly toggle: (id: string) => void }
    | undefined;
}

export function JobTable({ jobs, label, state, order, selection }: JobTableProps) {
  const { jobs: say, job: jobWords, columns: heads } = useWords();
  const time = TIMES[state ?? "all"] ?? "made";
  const timeLabel = { made: say.made, ended: heads.ended, due: heads.due }[time];
  // Waiting jobs are listed in the order in which they run; all others newest first.
  const isAscending = (state !== undefined && IN_LINE.has(state)) !== (order?.isReversed ?? false);
  const sort = order && {
    direction: isAscending ? ("ascending" as const) : ("descending" as const),
    label: heads.sort(timeLabel),
    onReverse: order.onReverse,
  };
  const canSelect = selection !== undefined;
  // Memoized, because a new array would rerender every row.
  const rowColumns = useMemo<readonly Column[]>(
    () => [
      ...(canSelect ? [{ label: say.selectPage, silent: true }] : []),
      { label: say.what },
      { label: say.state },
      { label: jobWords.error, wide: true, free: true },
      { label: heads.attempts, widest: true, end: true },
      { label: heads.duration, wide: true, end: true },
      { label: heads.worker, widest: true, free: true },
      { label: timeLabel, wide: true, end: true },
    ],
    [canSelect, say, jobWords, heads, timeLabel],
  );
  const columns = sort
    ? rowColumns.map((column) => (column.label === timeLabel ? { ...column, sort } : column))
    : rowColumns;
  const latest = useRef(selection);
  latest.current = selection;
  const toggle = useCallback((id: string) => latest.current?.toggle(id), []);
  return (
    <Table label={label} columns={columns}>
      {jobs.map((job) => (
        <JobRow
          key={job.id}
          job={job}
          columns={rowColumns}
          time={time}
          isSelected={selection?.has(job.id) ?? false}
          onToggle={canSelect ? toggle : undefined}
        />
      ))}
    </Table>
  );
}

interface JobRowProps {
  readonly job: JobSummary;
  readonly columns: readonly Column[];
  readonly time: "made" | "ended" | "due";
  readonly isSelected: boolean;
  readonly onToggle: ((id: string) => void) | undefined;
}

/** One job. Memoized, because the list is polled and usually one row of fifty has changed. */
const JobRow = memo(function JobRow({ job, columns, time, isSelected, onToggle }: JobRowProps) {
  const { jobs: say } = useWords();
  const cells = [
    ...(onToggle
      ? [
          <SelectRow
            key="select"
            label={say.selectRow(job.ticket)}
            isSelected={isSelected}
            onToggle={() => onToggle(job.id)}
          />,
        ]
      : []),
    <What key="what" job={job} />,
    <div key="state" className="flex flex-col items-start gap-1">
      <StateBadge state={job.state} />
      {job.stage && <span className="text-xs text-faint">{job.stage}</span>}
      {job.pendingDecision && <PendingDecision decision={job.pendingDecision} ticket={job.ticket} isShort />}
    </div>,
    <p key="error" className="line-clamp-2">
      {job.error?.message ?? ""}
    </p>,
    <Count key="attempts" value={attemptsOf(job)} />,
    <Duration key="duration" job={job} />,
    job.worker && <WorkerName key="worker" id={job.worker} />,
    <Time key="time" at={timeOf(job, time)} />,
  ];
  return <Row about={job.id} columns={columns} cells={cells} isSelected={isSelected} />;
});

/** The job's name from its app, and its ticket and keys. */
function What({ job }: { job: JobSummary }) {
  const keys = job.keys.join(", ");
  const about = job.about ?? keys;
  return (
    <div className="min-w-24 md:min-w-52">
      <p className="flex items-baseline gap-2">
        <Link
          row
          to={jobPath(job.id)}
          className="font-mono font-semibold whitespace-nowrap text-accent hover:underline"
        >
          #{job.ticket}
        </Link>
        {about && (
          <span className="path hidden max-w-80 truncate font-medium md:inline" title={about}>
            {about}
          </span>
        )}
      </p>
      <p className="text-xs text-faint">
        <Name>{job.queue}</Name>
        {job.name !== job.queue && (
          <>
            {" · "}
            <Name>{job.name}</Name>
          </>
        )}
        {job.about && keys && (
          <span className="hidden md:inline" title={keys}>
            {" · "}
            <span className="inline-block max-w-52 truncate align-bottom">{keys}</span>
          </span>
        )}
      </p>
      <div className="text-xs md:hidden">
        {about && <p className="path line-clamp-2 font-medium text-ink">{about}</p>}
        {job.error && <p className="line-clamp-2 wrap-anywhere text-stop-ink">{job.error.message}</p>}
        <p className="text-faint">
          <Time at={job.finishedAt ?? job.createdAt} />
        </p>
      </div>
    </div>
  );
}

function Duration({ job: { state, startedAt, finishedAt } }: { job: JobSummary }) {
  const { common } = useWords();
  if (state === "running" && startedAt) return <Span from={startedAt} />;
  if (startedAt && finishedAt) return <Span from={startedAt} to={finishedAt} />;
  return (
    <span className="text-faint">
      <span aria-hidden="true">–</span>
      <span className="sr-only">{common.none}</span>
    </span>
  );
}

const IN_LINE: ReadonlySet<JobState> = new Set(["scheduled", "ready", "running", "blocked"]);

/** The time by which a list of one state is ordered, if it is not the creation time. */
const TIMES: Readonly<Record<string, "made" | "ended" | "due">> = {
  scheduled: "due",
  done: "ended",
  failed: "ended",
  cancelled: "ended",
  skipped: "ended",
  resolved: "ended",
  aborted: "ended",
};

function timeOf(job: JobSummary, time: "made" | "ended" | "due"): string {
  if (time === "ended") return job.finishedAt ?? job.createdAt;
  return time === "due" ? (job.runAt ?? job.createdAt) : job.createdAt;
}

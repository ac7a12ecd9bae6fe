import type { UseQueryResult } from "@tanstack/react-query";
import type { FailedJob } from "../api/client.ts";
import { useNameOfFailed } from "../app-parts.tsx";
import { useWords } from "../i18n/words.ts";
import { Button } from "../ui/button.tsx";
import { NothingHere } from "../ui/empty.tsx";
import { jobPath, Link } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { Name } from "../ui/name.tsx";
import { Count } from "../ui/number.tsx";
import { Paging } from "../ui/paging.tsx";
import { Panel } from "../ui/panel.tsx";
import { type Column, Row, Table } from "../ui/table.tsx";
import { Time } from "../ui/time.tsx";

interface FailedJobsProps {
  readonly queue: string;
  readonly query: UseQueryResult<{
    total: number;
    page: number;
    limit: number;
    items: FailedJob[];
    more?: true | undefined;
  }>;
  readonly onPage: (page: number) => void;
  readonly onAction: ((action: "retry" | "skip", job: FailedJob) => void) | undefined;
  /** The address of a job. Default: its own page. */
  readonly pathOf?: (job: FailedJob) => string;
}

/** The type of jobs without a description from an app. */
const PLAIN = "JOB";

/** The job's subject: from its app, else its lane. Undefined if it is only the job's own id. */
function plainNameOf({ aggregateType, aggregateId, syncEventId }: FailedJob): string | undefined {
  if (aggregateId === syncEventId) return undefined;
  return aggregateType === PLAIN ? aggregateId : `${aggregateType} ${aggregateId}`;
}

/** Failed jobs, which wait for a person's decision. */
export function FailedJobs(props: FailedJobsProps) {
  const { queue, query, onPage, onAction, pathOf = ({ syncEventId }) => jobPath(syncEventId) } = props;
  const { queue: say, act, job: jobWords } = useWords();
  const nameOfFailed = useNameOfFailed(queue);
  const aboutOf = (job: FailedJob) => nameOfFailed(job) ?? plainNameOf(job);
  const columns: readonly Column[] = [
    { label: jobWords.ticket },
    { label: say.what, wide: true },
    { label: say.error, free: true },
    { label: say.attempts, wide: true, end: true },
    { label: say.failedAt, wide: true },
    ...(onAction ? [{ label: say.actions, silent: true, end: true }] : []),
  ];
  const cells = (job: FailedJob) => [
    <Link
      key="ticket"
      row
      to={pathOf(job)}
      className="font-mono font-semibold whitespace-nowrap text-accent hover:underline"
    >
      #{job.jobId}
    </Link>,
    <div key="what" className="min-w-44">
      <p>
        <Name>{job.eventType}</Name>
      </p>
      <p className="path text-xs text-faint">{aboutOf(job)}</p>
    </div>,
    <div key="error" className="min-w-32">
      <p className="line-clamp-3">{job.failedReason}</p>
      <p className="path text-xs text-faint md:hidden">
        {[job.eventType, aboutOf(job)].filter(Boolean).join(" · ")} · <Time at={job.failedAt} />
      </p>
    </div>,
    <Count key="attempts" value={job.attemptsMade} />,
    <Time key="failedAt" at={job.failedAt} />,
    onAction && (
      <div key="actions" className="flex justify-end gap-1.5 max-md:flex-col">
        {(["retry", "skip"] as const).map((action) => (
          <Button key={action} aria-label={act.of[action](job.jobId)} onClick={() => onAction(action, job)}>
            {act[action]}
          </Button>
        ))}
      </div>
    ),
  ];
  return (
    <div data-failed>
      <Panel title={say.failed}>
        <Loaded query={query}>
          {(page) =>
            page.total === 0 ? (
              <NothingHere title={say.failedNone} hint={say.failedNoneHint} />
            ) : (
              <>
                <Table label={say.failed} columns={columns}>
                  {page.items.map((job) => (
                    <Row key={job.syncEventId} about={job.syncEventId} columns={columns} cells={cells(job)} />
                  ))}
                </Table>
                <Paging page={page} onPage={onPage} />
              </>
            )
          }
        </Loaded>
      </Panel>
    </div>
  );
}

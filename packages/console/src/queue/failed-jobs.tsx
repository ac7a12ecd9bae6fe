import type { UseQueryResult } from "@tanstack/react-query";
import type { FailedJob } from "../api/client.ts";
import { Button } from "../kit/button.tsx";
import { Empty } from "../kit/empty.tsx";
import { jobPath, Link } from "../kit/link.tsx";
import { Loaded } from "../kit/loaded.tsx";
import { Name } from "../kit/name.tsx";
import { Count } from "../kit/number.tsx";
import { Paging } from "../kit/paging.tsx";
import { Panel } from "../kit/panel.tsx";
import { type Column, Row, Table } from "../kit/table.tsx";
import { Time } from "../kit/time.tsx";
import { useWords } from "../words/words.ts";

interface FailedJobsProps {
  readonly query: UseQueryResult<{
    total: number;
    page: number;
    limit: number;
    items: FailedJob[];
    more?: true | undefined;
  }>;
  readonly onPage: (page: number) => void;
  readonly onAction: ((action: "retry" | "skip", job: FailedJob) => void) | undefined;
}

/** What a job is called that no app has words for. */
const PLAIN = "JOB";

/** What the job is about: the path where it tells one, else its file or lane. Its own id says nothing. */
function aboutOf({ data, aggregateType, aggregateId, syncEventId }: FailedJob): string | undefined {
  const path = data && typeof data === "object" && "nasPath" in data ? data.nasPath : undefined;
  if (typeof path === "string") return path;
  if (aggregateId === syncEventId) return undefined;
  return aggregateType === PLAIN ? aggregateId : `${aggregateType} ${aggregateId}`;
}

/** Jobs that stand until a person decides. */
export function FailedJobs({ query, onPage, onAction }: FailedJobsProps) {
  const { queue: say, act, job: jobWords } = useWords();
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
      to={jobPath(job.syncEventId)}
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
              <Empty title={say.failedNone} hint={say.failedNoneHint} />
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

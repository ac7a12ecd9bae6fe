import type { RunningJob } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { useWords } from "../i18n/words.ts";
import { partOf } from "../job/job-progress.tsx";
import { Skeleton } from "../ui/empty.tsx";
import { jobPath, jobsPath, Link, queuePath } from "../ui/link.tsx";
import { useNumber } from "../ui/number.tsx";
import { Panel } from "../ui/panel.tsx";
import { ProgressBar } from "../ui/progress-bar.tsx";
import { Span } from "../ui/time.tsx";
import { WorkerName } from "../ui/worker-name.tsx";

const MOST_SHOWN = 20;

/** The running jobs of one queue or of all queues, the longest-running first. */
export function RunningNow({ queue }: { queue?: string }) {
  const { runningNow: say } = useWords();
  const number = useNumber();
  const { data } = useLiveQuery(queries.running(queue, MOST_SHOWN));
  const more = data ? data.total - data.items.length : 0;
  const state = "running";
  return (
    <Panel
      title={say.title}
      aside={data && data.total > 0 && <span className="text-xs text-soft">{number(data.total)}</span>}
    >
      {!data && <Skeleton rows={2} />}
      {data?.total === 0 && <p className="px-3 py-3 text-soft sm:px-4">{say.nothing}</p>}
      {data && data.items.length > 0 && (
        <ul aria-label={say.title} className="divide-y divide-line">
          {data.items.map((job) => (
            <Running key={job.id} job={job} isOfMany={queue === undefined} />
          ))}
        </ul>
      )}
      {more > 0 && (
        <p className="border-t border-line px-3 py-2 text-xs sm:px-4">
          <Link to={jobsPath(queue === undefined ? { state } : { queue, state })}>{say.more(more)}</Link>
        </p>
      )}
    </Panel>
  );
}

function Running({ job, isOfMany }: { job: RunningJob; isOfMany: boolean }) {
  const about = job.about ?? job.keys[0];
  // A job without a description is already shown by its kind, and a kind may have the same name as its queue.
  const kind = about && job.name !== job.queue ? job.name : undefined;
  const what = [kind, job.stage].filter(Boolean).join(" / ");
  return (
    <li
      data-running={job.id}
      className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 px-3 py-1.5 sm:px-4 md:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,5fr)_4rem]"
    >
      <p className="truncate" title={about}>
        <Link to={jobPath(job.id)} className="font-medium text-ink hover:underline">
          {about ?? job.name}
        </Link>{" "}
        <span className="text-xs text-faint">#{job.ticket}</span>
      </p>
      <p className="text-right text-xs whitespace-nowrap tabular-nums md:order-last">
        {job.startedAt && <Span from={job.startedAt} />}
      </p>
      <p className="flex min-w-0 items-baseline gap-1.5 truncate text-xs text-soft max-md:col-span-2">
        {isOfMany && (
          <Link to={queuePath(job.queue)} className="truncate text-soft hover:underline">
            {job.queue}
          </Link>
        )}
        {what && <span className="truncate">{what}</span>}
        {job.worker && <WorkerName id={job.worker} />}
      </p>
      <div className="max-md:col-span-2">
        <Progress job={job} />
      </div>
    </li>
  );
}

/** A bar if the handler reports a share; else its text, or a note that there is no progress, which must not look like 0 %. */
function Progress({ job }: { job: RunningJob }) {
  const { runningNow: say } = useWords();
  const number = useNumber();
  const told = job.bulk?.total ? { done: job.bulk.processed, total: job.bulk.total } : partOf(job.progress);
  const label = say.progressOf(`#${job.ticket}`);
  if (!told) return <p className="text-xs text-faint">{textOf(job.progress) ?? say.noProgress}</p>;
  return (
    <div className="flex items-center gap-2">
      <div className="min-w-0 flex-1">
        <ProgressBar label={label} value={told.done} max={told.total} />
      </div>
      <span className="w-10 text-right text-xs text-soft tabular-nums">
        {number(Math.floor((100 * told.done) / told.total))} %
      </span>
    </div>
  );
}

const LONGEST = 60;

/** The handler's progress if it is a short text. */
function textOf(progress: unknown): string | undefined {
  const text = typeof progress === "string" ? progress : undefined;
  return text !== undefined && text.length <= LONGEST ? text : undefined;
}

import {
  Button,
  Fact,
  Facts,
  jobPath,
  Link,
  Loaded,
  PageHead,
  Panel,
  Time,
  useAllowed,
  useLiveQuery,
  useNumber,
  useParams,
} from "@andon/console/room";
import { useState } from "react";
import { type BulkJob, broadcastQueries } from "./api.ts";
import { useBroadcastWords } from "./i18n/words.ts";
import { type JobAction, JobDialog } from "./job-dialogs.tsx";
import { Audience, Written } from "./job-lists.tsx";
import { JobProgress } from "./job-progress.tsx";
import { RateChart } from "./rate-chart.tsx";
import { StateMark } from "./state-mark.tsx";

/** The actions of each state, as the API allows them. */
const ACTIONS: Readonly<Record<BulkJob["state"], readonly JobAction[]>> = {
  SCHEDULED: ["abort", "change", "remove"],
  WAITING: ["abort", "change", "remove"],
  RUNNING: ["abort", "change"],
  ABORTING: ["change"],
  ABORTED: ["resume", "change", "remove"],
  COMPLETED: ["remove"],
  FAILED: ["resume", "change", "remove"],
};

export default function JobRoom() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useLiveQuery(broadcastQueries.job(id));
  return <Loaded query={query}>{(job) => <JobPage key={job.id} job={job} />}</Loaded>;
}

/** One bulk job: its progress, its rate, the result of an abort, its recipients. */
function JobPage({ job }: { job: BulkJob }) {
  const say = useBroadcastWords();
  const [open, setOpen] = useState<JobAction>();
  const mayOperate = useAllowed({ permission: "bulk.operate" });
  const mayRead = useAllowed({ permission: "notifications.read" });
  const words = { abort: say.abort, resume: say.resume, change: say.change, remove: say.remove };
  return (
    <>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-2">
            <span className="wrap-anywhere">{job.title}</span>
            <StateMark state={job.state} />
          </span>
        }
      >
        {mayOperate &&
          ACTIONS[job.state].map((action) => (
            <Button
              key={action}
              tone={action === "abort" || action === "remove" ? "stop" : "plain"}
              onClick={() => setOpen(action)}
            >
              {words[action]}
            </Button>
          ))}
      </PageHead>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <JobFacts job={job} />
        <div className="flex min-w-0 flex-col gap-4">
          <RateChart job={job} />
          {job.abort && <AbortPanel job={job} abort={job.abort} />}
        </div>
      </div>
      <div className="grid items-start gap-4 lg:grid-cols-2">
        <Audience id={job.id} />
        {mayRead && <Written id={job.id} />}
      </div>
      {open && <JobDialog action={open} job={job} onClose={() => setOpen(undefined)} />}
    </>
  );
}

function JobFacts({ job }: { job: BulkJob }) {
  const say = useBroadcastWords();
  const number = useNumber();
  const { pauseMs, maxPerSecond } = job.throttle;
  const time = (at: string | null) => (at === null ? "–" : <Time at={at} show="absolute" />);
  return (
    <Panel title={say.facts}>
      <Facts>
        <Fact name={say.progress}>
          <JobProgress job={job} />
        </Fact>
        <Fact name={say.rate}>
          {job.ratePerSecond === null ? "–" : number(Math.round(job.ratePerSecond))}
        </Fact>
        <Fact name={say.end}>{time(job.estimatedEndAt)}</Fact>
        <Fact name={say.category}>{job.category}</Fact>
        <Fact name={say.body}>
          <p className="whitespace-pre-wrap wrap-anywhere">{job.body || "–"}</p>
        </Fact>
        <Fact name={say.cursor}>
          <span className="path">{job.cursor ?? "–"}</span>
        </Fact>
        <Fact name={say.chunkSize}>{number(job.chunkSize)}</Fact>
        <Fact name={say.throttle}>
          {say.throttleOf(
            number(pauseMs),
            maxPerSecond === null ? say.any : say.ceiling(number(maxPerSecond)),
          )}
        </Fact>
        {job.slowed && (
          <Fact name={say.slowed}>
            <span className="wrap-anywhere text-stop-ink">
              {say.slowedOf(number(job.slowed.averageMs), number(job.slowed.limitMs))}
            </span>
          </Fact>
        )}
        <Fact name={say.scheduledAt}>{time(job.scheduledAt)}</Fact>
        <Fact name={say.createdBy}>{job.createdBy}</Fact>
        <Fact name={say.created}>
          <Link to={jobPath(job.id)}>
            <Time at={job.createdAt} show="absolute" />
          </Link>
        </Fact>
        <Fact name={say.started}>{time(job.startedAt)}</Fact>
        <Fact name={say.finished}>{time(job.finishedAt)}</Fact>
        {job.error !== null && (
          <Fact name={say.error}>
            <span className="wrap-anywhere text-stop-ink">{job.error}</span>
          </Fact>
        )}
      </Facts>
    </Panel>
  );
}

/** Who requested the abort, and what it did. The request and the fact are shown separately. */
function AbortPanel({ job, abort }: { job: BulkJob; abort: NonNullable<BulkJob["abort"]> }) {
  const say = useBroadcastWords();
  const number = useNumber();
  const { receipt } = job;
  return (
    <Panel title={say.receipt}>
      <Facts>
        <Fact name={say.asked}>
          <Time at={abort.requestedAt} show="absolute" />{" "}
          {say.askedBy(abort.by, abort.reason ?? say.noReason)}
        </Fact>
        {receipt && (
          <>
            <Fact name={say.stoppedAt}>
              <Time at={receipt.stoppedAt} show="absolute" />
            </Fact>
            <Fact name={say.receipt}>
              {receipt.outcome === "COMPLETED"
                ? say.receiptDone
                : receipt.total === null
                  ? say.receiptUnstarted
                  : say.receiptOf(number(receipt.processed), number(receipt.total))}
            </Fact>
            <Fact name={say.cursor}>
              <span className="path">{receipt.cursor ?? "–"}</span>
            </Fact>
          </>
        )}
      </Facts>
    </Panel>
  );
}

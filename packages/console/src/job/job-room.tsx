import { RefusedError } from "@andon/client";
import { useNavigate, useParams } from "@tanstack/react-router";
import { SearchX } from "lucide-react";
import { useEffect, useState } from "react";
import type { JobDetail } from "../api/client.ts";
import { queries, useLiveQuery } from "../api/queries.ts";
import { queryClient } from "../api/query-client.ts";
import { AboutJob, AppJobDecision } from "../app-parts.tsx";
import { useWords } from "../i18n/words.ts";
import { StateBadge, StateView } from "../jobs/states/state-view.tsx";
import { rememberPage } from "../palette/recent.ts";
import { useAllowed } from "../session/session.ts";
import { Button, type Tone } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { useKeys } from "../ui/keyboard.ts";
import { jobPath, Link, queuePath } from "../ui/link.tsx";
import { Loaded } from "../ui/loaded.tsx";
import { PageHead } from "../ui/panel.tsx";
import { Contents } from "./contents.tsx";
import { Decisions } from "./decisions.tsx";
import { decisionsAbout, JobDecision, type JobDecisionName } from "./job-decision.tsx";
import { JobFacts } from "./job-facts.tsx";
import { hasRun, isHead } from "./lane-place.ts";
import { PendingDecision } from "./pending-decision.tsx";
import { Timeline } from "./timeline.tsx";
import { Trace } from "./trace.tsx";

export default function JobRoom() {
  const { id } = useParams({ strict: false }) as { id: string };
  const query = useLiveQuery(queries.job(id));
  useLastingAddress(query.data?.id);
  if (query.error instanceof RefusedError && query.error.code === "JOB_NOT_FOUND") return <NoJob id={id} />;
  return <Loaded query={query}>{(job) => <JobPage key={job.id} job={job} />}</Loaded>;
}

/** Shown for a ticket that a retry replaced, a mistyped ticket, or a purged job. */
function NoJob({ id }: { id: string }) {
  const { job: say, problem } = useWords();
  return (
    <>
      <PageHead title={say.none(id)} />
      <section aria-label={say.title} className="rounded-lg border border-line bg-panel shadow-panel">
        <Empty title={say.noneWhy} hint={problem.hints.JOB_NOT_FOUND ?? ""} icon={SearchX}>
          <Link to="/jobs">{say.toJobs}</Link>
        </Empty>
      </section>
    </>
  );
}

/** A retry gives the job a new ticket, so a page opened by ticket moves to the address with the id, which never changes. */
function useLastingAddress(id: string | undefined): void {
  const navigate = useNavigate();
  const { id: asked } = useParams({ strict: false }) as { id: string };
  useEffect(() => {
    if (id === undefined || id === asked) return;
    queryClient.setQueryData(queries.job(id).queryKey, queryClient.getQueryData(queries.job(asked).queryKey));
    void navigate({ to: jobPath(id), replace: true });
  }, [id, asked, navigate]);
}

const KEYS: Partial<Record<JobDecisionName, string>> = { retry: "r", skip: "s" };

/** The decision that usually helps. An app's own decision is placed before it. */
const MAIN: JobDecisionName = "retry";

const TONES: Partial<Record<JobDecisionName, Tone>> = { retry: "primary", delete: "quiet" };

/** One job: its state and the reason, its history, its content, and the possible decisions. */
function JobPage({ job }: { job: JobDetail }) {
  const { job: say, act } = useWords();
  const navigate = useNavigate();
  const [action, setAction] = useState<JobDecisionName>();
  const mayDecide = useAllowed({ permission: "queue.operate" });
  // With a held-back decision the job is already decided: the decision is applied or undone.
  const actions = mayDecide && !job.pendingDecision ? decisionsAbout(job) : [];
  useRemembered(job);
  useKeys(
    Object.fromEntries(
      actions.flatMap((each) => (KEYS[each] ? [[KEYS[each], () => setAction(each)] as const] : [])),
    ),
  );
  const button = (each: JobDecisionName) => (
    <Button
      key={each}
      tone={TONES[each] ?? "plain"}
      shortcut={KEYS[each]}
      isMain={each === MAIN}
      onClick={() => setAction(each)}
    >
      {act[each]}
    </Button>
  );
  return (
    <>
      <PageHead
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span>
              {say.title} #{job.ticket}
            </span>
            {job.about && <span className="path min-w-0 font-medium text-soft">{job.about}</span>}
            <StateBadge state={job.state} />
            <Link to={queuePath(job.queue)} className="text-sm font-medium text-accent hover:underline">
              {job.queue}
            </Link>
          </span>
        }
      >
        {!job.pendingDecision && <AppJobDecision job={job} />}
        {actions.filter((each) => each !== "delete").map(button)}
        {actions.filter((each) => each === "delete").map(button)}
      </PageHead>
      {job.pendingDecision && <PendingDecision decision={job.pendingDecision} ticket={job.ticket} />}
      <StateView job={job} />
      <AboutJob job={job} />
      <div className="grid gap-4 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
        <div className="flex min-w-0 flex-col gap-4">
          <Trace job={job} />
          <Contents job={job} />
          <Timeline job={job} />
        </div>
        <div className="flex min-w-0 flex-col gap-4">
          <JobFacts job={job} />
          <Decisions job={job} />
        </div>
      </div>
      {action && (
        <JobDecision
          action={action}
          job={{ ...job, hasLane: job.keys.length > 0, isHead: isHead(job), hasRun: hasRun(job) }}
          onClose={() => setAction(undefined)}
          onDone={action === "delete" ? () => navigate({ to: queuePath(job.queue) }) : undefined}
        />
      )}
    </>
  );
}

/** Adds the job to the palette's recent pages, with its name. */
function useRemembered({ id, ticket, about, keys, queue }: JobDetail): void {
  const label = `#${ticket} ${about ?? keys[0] ?? queue}`;
  useEffect(() => rememberPage({ label, path: jobPath(id) }), [id, label]);
}

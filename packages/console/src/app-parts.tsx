import apps from "virtual:installed-apps";
import { CatchBoundary } from "@tanstack/react-router";
import { type ComponentType, Suspense } from "react";
import type { FailedJob, JobDetail, QueueOverview } from "./api/client.ts";
import type { Load } from "./console-app.ts";
import { useLanguage } from "./i18n/language.ts";
import { useWords } from "./i18n/words.ts";
import { part } from "./lazy-page.tsx";
import { runs, useAllowed, useMe } from "./session/session.ts";
import { Link } from "./ui/link.tsx";

const lazily = <P,>(load: Load<P> | undefined) => load && part(load);

/** What apps add to the pages of their queues and jobs, by queue. */
const PARTS = new Map(
  apps.flatMap(({ name: app, queues }) =>
    Object.entries(queues ?? {}).map(([queue, parts]) => {
      const { aboutJob, jobDecision, onQueue, jobPage, nameOfFailed } = parts;
      const lazy = {
        aboutJob: lazily(aboutJob),
        jobDecision: lazily(jobDecision),
        onQueue: lazily(onQueue),
      };
      return [queue, { app, jobPage, nameOfFailed, ...lazy }] as const;
    }),
  ),
);

/** Nothing where the server does not run the queue's app. */
function usePartsOf(queue: string) {
  const me = useMe();
  const parts = PARTS.get(queue);
  return parts && runs(me, parts) ? parts : undefined;
}

export function AboutJob({ job }: { job: JobDetail }) {
  return <Shown part={usePartsOf(job.queue)?.aboutJob} about={job.id} props={{ job }} />;
}

export function AppJobDecision({ job }: { job: JobDetail }) {
  return <Shown part={usePartsOf(job.queue)?.jobDecision} about={job.id} props={{ job }} />;
}

export function OnQueue({ queue }: { queue: QueueOverview }) {
  return <Shown part={usePartsOf(queue.queue)?.onQueue} about={queue.queue} props={{ queue }} />;
}

/** What a failed job of this queue is about, where its app says so. */
export function useNameOfFailed(queue: string): (job: FailedJob) => string | undefined {
  return usePartsOf(queue)?.nameOfFailed ?? (() => undefined);
}

/** The page of the queue's app about this job, where it has one that the reader may see. */
export function JobPageLink({ queue, jobId }: { queue: string; jobId: string }) {
  const language = useLanguage();
  const page = usePartsOf(queue)?.jobPage;
  const maySee = useAllowed({ permission: page?.permission });
  return page && maySee ? <Link to={page.address(jobId)}>{page.label[language]}</Link> : null;
}

interface ShownProps<P> {
  readonly part: ComponentType<P> | undefined;
  readonly about: string;
  readonly props: P;
}

/** A fault of an app takes its own part away, and nothing else of the page. */
function Shown<P extends object>({ part: Part, about, props }: ShownProps<P>) {
  if (!Part) return null;
  return (
    <CatchBoundary getResetKey={() => about} errorComponent={PartFailed}>
      <Suspense fallback={null}>
        <Part {...props} />
      </Suspense>
    </CatchBoundary>
  );
}

function PartFailed() {
  const { problem } = useWords();
  return (
    <p role="alert" className="rounded-md bg-stop-wash px-3 py-2.5 text-stop-ink">
      {problem.partFailed}
    </p>
  );
}

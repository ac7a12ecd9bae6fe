import apps from "virtual:installed-apps";
import { CatchBoundary } from "@tanstack/react-router";
import { type ComponentType, Suspense } from "react";
import type { FailedJob, JobDetail, QueueOverview } from "./api/client.ts";
import type { Load } from "./console-app.ts";
import { useLanguage } from "./i18n/language.ts";
import { useWords } from "./i18n/words.ts";
import { lazyPart } from "./lazy-page.tsx";
import { runs, useAllowed, useMe } from "./session/session.ts";
import { Link } from "./ui/link.tsx";

const lazily = <P,>(load: Load<P> | undefined) => load && lazyPart(load);

/** The parts that apps add to the pages of their queues and jobs, by queue. */
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

/** Undefined if the server does not run the queue's app. */
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

/** The name of a failed job of this queue, if the queue's app has one. */
export function useNameOfFailed(queue: string): (job: FailedJob) => string | undefined {
  return usePartsOf(queue)?.nameOfFailed ?? (() => undefined);
}

/** A link to the app's own page about this job, if it has one that the reader may see. */
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

/** An error in an app's part removes only that part from the page. */
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

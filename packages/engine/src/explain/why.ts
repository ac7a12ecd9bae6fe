import { AndonError, errorText, type JobState, type Why } from "@andon/contract";
import type { JobRow, QueueRow, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { rateOf } from "../worker/pace.ts";
import { type Cause, sentence } from "./sentences.ts";
import { tenantCause } from "./tenant-cause.ts";

interface Case {
  readonly store: Store;
  readonly job: JobRow;
  readonly queue: QueueRow;
  readonly definition: QueueDefinition | undefined;
}

type Explain = (at: Case) => Promise<Cause> | Cause;

/** For each state, who knows what decides. Ended states explain themselves. */
const EXPLAIN: Record<JobState, Explain> = {
  scheduled: explainScheduled,
  blocked: explainBlocked,
  ready: explainReady,
  running: async ({ store, job }) => {
    const running = await store.read.running(job.pos);
    if (running?.cancel)
      return { rule: "job.cancelling", facts: { by: running.cancel.actor, worker: running.worker } };
    return {
      rule: "job.running",
      facts: { worker: job.worker, since: job.startedAt, attempt: job.attempts + 1 },
    };
  },
  parked: ({ job }) => ({ rule: "job.parked", facts: { since: job.finishedAt } }),
  done: ({ job }) => ({ rule: "job.done", facts: { at: job.finishedAt } }),
  failed: ({ job }) => ({
    rule: "job.failed",
    facts: { ...errorOf(job), attempts: job.attempts, at: job.finishedAt },
  }),
  cancelled: ({ job }) => ({
    rule: "job.cancelled",
    facts: { by: job.resolution?.actor, reason: job.resolution?.reason ?? "-", at: job.finishedAt },
  }),
  skipped: ({ job }) => ({ rule: "job.skipped", facts: { code: job.error?.code, at: job.finishedAt } }),
  resolved: ({ job }) => ({
    rule: "job.resolved",
    facts: { by: job.resolution?.actor, reason: job.resolution?.reason ?? "-" },
  }),
  aborted: ({ job }) => ({ rule: "job.aborted", facts: { at: job.finishedAt } }),
};

/** "Why is it not running?": one sentence, and the rule that decides (G2). */
export async function why(
  store: Store,
  id: string,
  definitions: ReadonlyMap<string, QueueDefinition>,
  tenant?: string,
): Promise<Why> {
  const job = await store.read.job({ id }, tenant);
  const queue = job && (await store.read.queue(job.queue));
  if (!job || !queue) throw new AndonError("JOB_NOT_FOUND", { job: id });
  const cause = await EXPLAIN[job.state]({
    store,
    job,
    queue,
    definition: definitions.get(job.queue),
  });
  const { rule, facts } = tenant === undefined ? cause : await tenantCause(store, cause, tenant);
  const all = { queue: job.queue, ...facts };
  return {
    jobId: id,
    state: job.state,
    rule,
    en: sentence(rule, all, "en"),
    ko: sentence(rule, all, "ko"),
    facts: all,
  };
}

function errorOf({ error }: JobRow): Record<"code" | "message" | "error", string> {
  if (!error) return { code: "-", message: "-", error: "-" };
  return { code: error.code, message: error.message, error: errorText(error) };
}

async function explainScheduled({ store, job, queue, definition }: Case): Promise<Cause> {
  const timer = await store.read.timer(job.pos);
  const due = timer?.due ?? job.runAt;
  if (timer?.kind !== "backoff") return { rule: "job.scheduled", facts: { due } };
  const isProbe = queue.state === "degraded" && queue.probeJobId === job.id;
  const facts = {
    due,
    attempts: job.attempts,
    ...(definition ? { mostAttempts: definition.rules.attempts } : {}),
    ...errorOf(job),
  };
  // Any other end of an attempt sets the count back: it was given back without having started.
  if (job.stalled > 0) return { rule: "job.suspect", facts: { due, lost: job.stalled } };
  if (isProbe) return { rule: "job.probing", facts };
  return { rule: job.error ? "job.backoff" : "job.snoozed", facts };
}

async function explainBlocked({ store, job }: Case): Promise<Cause> {
  const lanes = await store.read.lanesOf(job.pos);
  const held = lanes.find((lane) => lane.held !== null);
  if (held?.held) {
    const { kind, by, reason, jobId, at } = held.held;
    const rule = kind === "failure" ? "lane.held-by-failure" : "lane.held-by-hand";
    return { rule, facts: { key: held.key, by, reason: reason ?? "-", failedJob: jobId, since: at } };
  }
  const behind = lanes.filter((lane) => lane.headJobId !== null).sort((a, b) => b.ahead - a.ahead)[0];
  const facts = {
    key: behind?.key,
    ahead: behind?.ahead,
    headJob: behind?.headJobId,
    headState: behind?.headState,
  };
  return { rule: "lane.behind", facts };
}

async function explainReady(at: Case): Promise<Cause> {
  const { store, job, queue, definition } = at;
  if (queue.state === "stopped") {
    const facts = {
      since: queue.stoppedAt,
      reason: queue.stopReason,
      by: queue.stopActor,
      failedJob: queue.stopJobId,
    };
    return { rule: queue.stopJobId ? "queue.stopped-by-failure" : "queue.stopped-by-hand", facts };
  }
  if (queue.state === "degraded") {
    if (queue.probeJobId === job.id) return { rule: "queue.probe-next", facts: { since: queue.degradedAt } };
    return { rule: "queue.degraded", facts: { since: queue.degradedAt, probe: queue.probeJobId } };
  }
  const workers = (await store.read.workers()).filter((worker) => worker.queues.includes(job.queue));
  if (workers.length === 0) return { rule: "queue.no-worker", facts: {} };
  if (definition?.rules.mode === "serial") {
    const blocker = await store.read.lineBlocker(job.queue);
    if (blocker) return { rule: `line.${blocker.kind}`, facts: { by: blocker.jobId, until: blocker.until } };
  }
  return (await explainLimits(at)) ?? explainPlaces(at, workers.length);
}

/** Limits that are reached now, if any. */
async function explainLimits({ store, job, definition }: Case): Promise<Cause | undefined> {
  const { limiter, tenantConcurrency } = definition?.rules ?? {};
  if (tenantConcurrency !== undefined) {
    const running = await store.read.runningOfTenant(job.queue, job.tenant);
    if (running >= tenantConcurrency) {
      return {
        rule: "queue.tenant-concurrency",
        facts: { tenant: job.tenant, limit: tenantConcurrency, running },
      };
    }
  }
  if (limiter === undefined) return undefined;
  const since = store.clock.now() - rateOf(limiter).duration;
  const started = await store.read.startedSince(job.queue, since, limiter.max);
  if (started < limiter.max) return undefined;
  return { rule: "queue.rate", facts: { max: limiter.max, duration: limiter.duration, started } };
}

const MOST_COUNTED = 10_000;

async function explainPlaces({ store, job, definition }: Case, workers: number): Promise<Cause> {
  const ahead = await store.read.aheadInLine(job, MOST_COUNTED);
  const limit = definition?.rules.concurrency;
  if (limit !== undefined) {
    const running = (await store.read.runningOf({ queue: job.queue })).length;
    if (running >= limit) return { rule: "queue.concurrency", facts: { limit, running, ahead } };
  }
  return ahead > 0
    ? { rule: "line.ahead", facts: { ahead, workers } }
    : { rule: "line.next", facts: { workers } };
}

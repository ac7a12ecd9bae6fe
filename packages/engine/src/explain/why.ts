import {
  AndonError,
  errorText,
  type JobState,
  type Language,
  localError,
  type Scope,
  type Why,
} from "@andon/contract";
import { bulkStateOf } from "../bulk/bulk-state.ts";
import { leftIn, rampStatus } from "../lifecycle/ramp.ts";
import { definitionIn, stageLimits } from "../lifecycle/stages.ts";
import type { JobRow, QueueRow, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { isNarrow } from "../scope.ts";
import { rateOf } from "../worker/rate-limit.ts";
import { causeInScope } from "./cause-in-scope.ts";
import { type Cause, sentence } from "./sentences.ts";

interface Case {
  readonly store: Store;
  readonly job: JobRow;
  readonly queue: QueueRow;
  readonly definition: QueueDefinition | undefined;
}

type Explain = (at: Case) => Promise<Cause> | Cause;

/** For each state, the function that finds the rule that decides. */
const EXPLAIN: Record<JobState, Explain> = {
  scheduled: explainScheduled,
  blocked: explainBlocked,
  ready: explainReady,
  running: explainRunning,
  parked: ({ job: { awaits } }) => {
    const facts = { event: awaits?.event, until: awaits?.until ?? null };
    return { rule: facts.until === null ? "job.parked" : "job.parked-until", facts };
  },
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
  aborted: async ({ store, job }) => {
    const { receipt, processed, total } = bulkStateOf(job, await bulkOf(store, job));
    const { by = job.resolution?.actor, reason = job.resolution?.reason } = receipt ?? {};
    const facts = { at: job.finishedAt, by, reason: reason ?? "-", processed, total: total ?? "-" };
    return { rule: "job.aborted", facts };
  },
};

/** "Why is it not running?": one sentence, and the rule that decides. */
export async function why(
  store: Store,
  id: string,
  definitions: ReadonlyMap<string, QueueDefinition>,
  scope: Scope = {},
): Promise<Why> {
  const job = await store.read.job({ id }, scope);
  const queue = job && (await store.read.queue(job.queue));
  if (!job || !queue) throw new AndonError("JOB_NOT_FOUND", { job: id });
  const cause = await EXPLAIN[job.state]({
    store,
    job,
    queue,
    definition: definitions.get(job.queue),
  });
  const { rule, facts } = isNarrow(scope) ? await causeInScope(store, cause, scope) : cause;
  const all = { queue: job.queue, ...facts };
  return {
    jobId: id,
    state: job.state,
    rule,
    en: sentence(rule, { ...all, ...errorIn(job, all, "en") }, "en"),
    ko: sentence(rule, { ...all, ...errorIn(job, all, "ko") }, "ko"),
    facts: all,
  };
}

async function bulkOf(store: Store, { pos }: JobRow) {
  return (await store.read.bulks([pos])).get(pos);
}

async function explainRunning({ store, job }: Case): Promise<Cause> {
  const running = await store.read.running(job.pos);
  const { stage, worker } = job;
  if (running?.cancel?.at === "boundary")
    return {
      rule: "job.cancelling-at-boundary",
      facts: { by: running.cancel.actor, worker: running.worker, stage },
    };
  if (running?.cancel)
    return { rule: "job.cancelling", facts: { by: running.cancel.actor, worker: running.worker } };
  if (job.cancelling)
    return {
      rule: "job.rolling-back",
      facts: { by: job.cancelling.actor, worker, stage, since: job.startedAt },
    };
  const bulk = await bulkOf(store, job);
  const { abort, slowed, throttle, queueMaxPerSecond, processed, total } = bulkStateOf(job, bulk);
  if (abort)
    return {
      rule: "job.aborting",
      facts: { by: abort.by, reason: abort.reason ?? "-", since: abort.requestedAt, worker },
    };
  const facts = { worker, since: job.startedAt, attempt: job.attempts + 1 };
  if (!bulk) return { rule: "job.running", facts };
  const walked = { ...facts, processed, total: total ?? "-" };
  if (slowed)
    return { rule: "job.slowed", facts: { ...walked, average: slowed.averageMs, limit: slowed.limitMs } };
  const { pauseMs, maxPerSecond } = throttle;
  const limits = { pause: pauseMs, perSecond: maxPerSecond ?? "-", ofQueue: queueMaxPerSecond ?? "-" };
  if (pauseMs > 0 || maxPerSecond !== null || queueMaxPerSecond !== null)
    return { rule: "job.throttled", facts: { ...walked, ...limits } };
  return { rule: "job.walking", facts: walked };
}

function errorOf({ error }: JobRow): Record<"code" | "message" | "error", string> {
  if (!error) return { code: "-", message: "-", error: "-" };
  return { code: error.code, message: error.message, error: errorText(error) };
}

/** The job's error in the language of the sentence. */
function errorIn({ error }: JobRow, facts: Record<string, unknown>, language: Language) {
  if (!error?.texts || facts.message !== error.message) return {};
  const local = localError(error, language);
  return { message: local.message, error: errorText(local) };
}

async function explainScheduled({ store, job, queue, definition }: Case): Promise<Cause> {
  const timer = await store.read.timer(job.pos);
  const due = timer?.due ?? job.runAt;
  if (timer?.kind !== "backoff") return { rule: "job.scheduled", facts: { due } };
  const isProbe = queue.state === "degraded" && queue.probeJobId === job.id;
  const facts = {
    due,
    attempts: job.attempts,
    ...(definition ? { mostAttempts: definitionIn(definition, job.stage).rules.attempts } : {}),
    ...errorOf(job),
  };
  // Every other way to a back-off timer resets `stalled`, so this job was postponed before its handler started.
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
    return { rule: await ruleOfStop(store, queue.stopJobId), facts };
  }
  if (queue.ramp && leftIn(queue.ramp) === 0 && !queue.ramp.jobs.includes(job.pos)) {
    const { wave, waves } = queue.ramp;
    const { done, started } = rampStatus(queue.ramp, await store.read.readJobs(queue.ramp.jobs));
    return { rule: "queue.ramping", facts: { wave, of: waves.length, open: started - done } };
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
  return (await explainStage(at)) ?? (await explainLimits(at)) ?? explainPlaces(at, workers.length);
}

/** The job that stopped the queue may be settled by now; the failed job of a ramp is back in line at once. */
async function ruleOfStop(store: Store, stopJob: string | null): Promise<string> {
  if (stopJob === null) return "queue.stopped-by-hand";
  const job = await store.read.job({ id: stopJob });
  return job?.state === "failed" ? "queue.stopped-by-failure" : "queue.stopped-without-failed-job";
}

/** The limit of the job's stage, if it is reached. */
async function explainStage({ store, job, definition }: Case): Promise<Cause | undefined> {
  if (job.stage === null || !definition) return undefined;
  const limits = stageLimits(definition.rules);
  const limit = limits ? (limits[job.stage] ?? 1) : undefined;
  if (limit === undefined) return undefined;
  const { running, ahead } = await store.read.inStage(job, MOST_COUNTED);
  if (running < limit) return undefined;
  return {
    rule: "stage.concurrency",
    facts: { stage: job.stage, limit, running, ahead, others: running + ahead },
  };
}

/** The limit of the tenant or the rate limit, if it is reached. */
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

import {
  AndonError,
  heldBackMessage,
  iso,
  localError,
  messageOf,
  type Principal,
  type Rehearsal,
  type RehearsalOptions,
  type ROUTES,
  wireDecision,
} from "@andon/contract";
import { causesOf, historyOf, isNarrow, recentEnds, rehearse } from "@andon/engine";
import { bullmqOverviewOrProblem } from "../bullmq/overview.ts";
import { type HttpServeAll, sent } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { addJob } from "./add-job.ts";
import { answerInTime } from "./answer-in-time.ts";
import { decidableQueue, jobInQueue, knownQueue, queueToDecide } from "./find.ts";
import { historyCsv, historyView, wantsCsv } from "./history.ts";
import {
  failedDetailView,
  failedView,
  type OverviewView,
  overviewViews,
  statusView,
  syncEventView,
} from "./queue-views.ts";
import { runbookOfCause } from "./runbook-of-cause.ts";
import { decisionOf, scopeOf } from "./scope.ts";
import { wirePage } from "./wire.ts";

const success = true as const;

/** The operator API of any queue. */
export function serveQueues(site: Site): HttpServeAll<typeof ROUTES>["queues"] {
  const { read } = site.andon.store;
  return {
    list: async ({ principal, query }) => {
      const known = new Set((await read.queues()).map(({ name }) => name));
      for (const name of site.queues.keys()) if (!known.has(name)) await knownQueue(site, name);
      const rows = await read.queues();
      // Jobs of BullMQ have no tenant, so a key with a scope sees no BullMQ queue.
      const others = isNarrow(scopeOf(principal)) ? [] : site.bullmq.names;
      const from = (query.page - 1) * query.limit;
      const shown = rows.slice(from, from + query.limit);
      const left = query.limit - shown.length;
      const first = Math.max(0, from - rows.length);
      const items = [
        ...(await overviewViews(site, principal, shown)),
        ...(await Promise.all(
          others.slice(first, first + left).map((name) => bullmqOverviewOrProblem(site.bullmq, name)),
        )),
      ];
      return { total: rows.length + others.length, page: query.page, limit: query.limit, items };
    },

    recent: async () => {
      const { from, queues } = await recentEnds(site.andon.store);
      return {
        from: iso(from),
        queues: queues.map(({ queue, done, failed }) => ({ queue, done: [...done], failed: [...failed] })),
      };
    },

    overview: async ({ principal, params }) =>
      (await overviewViews(site, principal, [await knownQueue(site, params.queue)]))[0] as OverviewView,

    status: ({ principal, params }) => statusView(site, principal, params.queue),

    failed: async ({ principal, params, query, language }) => {
      await knownQueue(site, params.queue);
      const page = await failedJobs(site, principal, params.queue, query.page, query.limit);
      return wirePage(page, (job) => failedView(site, job, language));
    },

    failedJob: async ({ principal, params, language }) => {
      const job = await jobInQueue(site, principal, params.queue, params.jobId);
      if (job.state !== "failed") throw new AndonError("JOB_NOT_FOUND", { job: params.jobId });
      return failedDetailView(site, job, language);
    },

    event: async ({ principal, params, language }) =>
      syncEventView(site, await jobInQueue(site, principal, params.queue, params.syncEventId), language),

    history: async ({ params, query, request, reply }) => {
      await knownQueue(site, params.queue);
      const { from, to, step, format } = query;
      const ms = (given: string | undefined) => (given === undefined ? undefined : Date.parse(given));
      const history = await historyOf(site.andon.store, params.queue, { from: ms(from), to: ms(to), step });
      const isCsv = format === undefined ? wantsCsv(request.headers.accept) : format === "csv";
      reply.header("vary", "accept");
      if (!isCsv) return historyView(history);
      const name = `${params.queue}-history-${step}.csv`;
      reply.type("text/csv; charset=utf-8").header("content-disposition", `attachment; filename="${name}"`);
      reply.send(historyCsv(history));
      return sent;
    },

    pause: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const { changed, stoppedAt, reason } = await queue.stop(decisionOf(call, call.body.reason));
      const message = messageOf(changed ? "QUEUE_PAUSED" : "QUEUE_WAS_PAUSED", call.language);
      return { success, changed, message, pausedAt: iso(stoppedAt), pauseReason: reason };
    },

    resume: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const resumed = await queue.resume(decisionOf(call, call.body.reason), { ramp: call.body.ramp });
      const message = messageOf(resumed.changed ? "QUEUE_RESUMED" : "QUEUE_WAS_RUNNING", call.language);
      return {
        success,
        changed: resumed.changed,
        message,
        pendingJobs: resumed.pending,
        unresolvedFailed: resumed.unresolved,
        resumedAt: iso(resumed.resumedAt),
      };
    },

    rehearse: async ({ params, query, language }) => {
      const { next, ...rest } = await rehearsed(site, params.queue, { ...query, language });
      return {
        ...rest,
        next: next.map(({ job, checks }) => ({
          jobId: job.ticket,
          syncEventId: job.id,
          checks: [...checks],
        })),
      };
    },

    retry: async (call) => {
      const job = await jobInQueue(site, call.principal, call.params.queue, call.params.jobId);
      const { queue, decide } = await queueToDecide(site, job, "retry");
      const decision = decisionOf(call, call.body.reason);
      await (decide?.retry ? decide.retry(job, decision) : queue.retry(job.id, decision));
      const { ticket } = (await read.job({ id: job.id })) ?? job;
      return {
        success,
        message: messageOf("JOB_RETRIED", call.language),
        jobId: job.ticket,
        newJobId: ticket,
        syncEventId: job.id,
      };
    },

    retryAll: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const started = await queue.startRetryAll(decisionOf(call, call.body.reason));
      return answerInTime(site, call.reply, started, ({ retried }) => {
        const message = messageOf("JOBS_RETRIED", call.language, { count: retried });
        return { success, retriedCount: retried, message };
      });
    },

    skip: async (call) => {
      const job = await jobInQueue(site, call.principal, call.params.queue, call.params.jobId);
      const { queue, beforeSkip, decide } = await queueToDecide(site, job, "skip");
      const decision = decisionOf(call, call.body.reason);
      const found = job.state === "failed" && !decide?.skip ? await beforeSkip?.(job) : undefined;
      const held = decide?.skip
        ? (await decide.skip(job, decision)).pendingDecision
        : await queue.skip(job.id, decision, new Map([[job.id, found]]));
      if (held) {
        call.reply.code(202);
        const message = heldBackMessage(held, call.language);
        return {
          success,
          message,
          jobId: job.ticket,
          syncEventId: job.id,
          pendingDecision: wireDecision(held),
        };
      }
      return {
        success,
        message: messageOf("JOB_SKIPPED", call.language),
        jobId: job.ticket,
        syncEventId: job.id,
        newStatus: "MANUALLY_RESOLVED" as const,
        ...found,
      };
    },

    skipAllAndResume: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const started = await queue.startSkipAllAndResume(decisionOf(call, call.body.reason));
      return answerInTime(site, call.reply, started, ({ skipped, changed, resumedAt }) => {
        const said = changed ? "ALL_SKIPPED_AND_RESUMED" : "ALL_SKIPPED_WHILE_RUNNING";
        const message = messageOf(said, call.language, { count: skipped });
        return { success, skippedCount: skipped, message, resumedAt: iso(resumedAt) };
      });
    },

    fingerprints: async ({ principal, params, query, language }) => {
      await knownQueue(site, params.queue);
      const asked = { name: params.queue, noun: site.queues.get(params.queue)?.noun };
      const page = await causesOf(read, asked, scopeOf(principal), query.page, query.limit);
      return wirePage(page, ({ firstAt, lastAt, lastResolution, remedies, ...group }) => ({
        ...localError(group, language),
        runbook: runbookOfCause(site, params.queue, group, language),
        remedies: { ...remedies, last: remedies.last.map((each) => ({ ...each, at: iso(each.at) })) },
        firstAt: iso(firstAt),
        lastAt: iso(lastAt),
        lastResolution: lastResolution && { ...lastResolution, at: iso(lastResolution.at) },
      }));
    },

    add: async (call) => {
      const { id, ticket, isNew, seq } = await addJob(site, call);
      if (!isNew) call.reply.code(200);
      return { id, ticket, created: isNew, seq };
    },

    deleteJob: async (call) => {
      const job = await jobInQueue(site, call.principal, call.params.queue, call.params.jobId);
      const { queue, decide } = await queueToDecide(site, job, "delete");
      const { id, ticket } = job;
      const decision = decisionOf(call, call.query.reason);
      await (decide?.delete ? decide.delete(job, decision) : queue.deleteJob(id, decision));
      return { success, message: messageOf("JOB_DELETED", call.language), id, ticket };
    },

    deleteQueue: async (call) => {
      const decision = decisionOf(call, call.query.reason);
      const started = await site.andon.startDeleteQueue(call.params.queue, decision);
      return answerInTime(site, call.reply, started, (deletedCount) => {
        const message = messageOf("QUEUE_DELETED", call.language, { count: deletedCount });
        return { success, deletedCount, message };
      });
    },

    purge: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const started = await queue.startPurge(decisionOf(call, call.body.reason));
      return answerInTime(site, call.reply, started, (purgedCount) => {
        const message = messageOf("PURGED", call.language, { count: purgedCount });
        return { success, purgedCount, message };
      });
    },
  };
}

/** A queue that another process defines is rehearsed too, but without the app's checks. */
async function rehearsed(site: Site, name: string, options: RehearsalOptions): Promise<Rehearsal> {
  await knownQueue(site, name);
  const defined = site.queues.get(name);
  if (defined) return defined.queue.rehearse(options);
  return rehearse(site.andon.store, { name, isSerial: false, questions: undefined }, options);
}

function failedJobs(site: Site, principal: Principal, queue: string, page: number, limit: number) {
  const { read } = site.andon.store;
  const scope = scopeOf(principal);
  return isNarrow(scope)
    ? read.searchJobs({ queue, state: "failed", ...scope }, page, limit)
    : read.jobs(queue, "failed", page, limit);
}

import { AndonError, iso, messageOf, type Principal, type ROUTES } from "@andon/contract";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { addJob } from "./add-job.ts";
import { answerInTime } from "./answer-in-time.ts";
import { decidableQueue, jobInQueue, knownQueue } from "./find.ts";
import {
  failedDetailView,
  failedView,
  type OverviewView,
  overviewViews,
  statusView,
  syncEventView,
} from "./queue-views.ts";
import { decisionOf, tenantOf } from "./scope.ts";
import { wirePage } from "./wire.ts";

const success = true as const;

/** The operator API of any queue (A5–A13, A17). */
export function serveQueues(site: Site): HttpServeAll<typeof ROUTES>["queues"] {
  const { read } = site.andon.store;
  return {
    list: async ({ principal, query }) => {
      const known = new Set((await read.queues()).map(({ name }) => name));
      for (const name of site.queues.keys()) if (!known.has(name)) await knownQueue(site, name);
      const rows = await read.queues();
      const shown = rows.slice((query.page - 1) * query.limit, query.page * query.limit);
      const items = await overviewViews(site, principal, shown);
      return { total: rows.length, page: query.page, limit: query.limit, items };
    },

    overview: async ({ principal, params }) =>
      (await overviewViews(site, principal, [await knownQueue(site, params.queue)]))[0] as OverviewView,

    status: ({ principal, params }) => statusView(site, principal, params.queue),

    failed: async ({ principal, params, query }) => {
      await knownQueue(site, params.queue);
      const page = await failedJobs(site, principal, params.queue, query.page, query.limit);
      return wirePage(page, (job) => failedView(site, job));
    },

    failedJob: async ({ principal, params }) => {
      const job = await jobInQueue(site, principal, params.queue, params.jobId);
      if (job.state !== "failed") throw new AndonError("JOB_NOT_FOUND", { job: params.jobId });
      return failedDetailView(site, job);
    },

    event: async ({ principal, params }) =>
      syncEventView(site, await jobInQueue(site, principal, params.queue, params.syncEventId)),

    pause: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const { changed, stoppedAt, reason } = await queue.stop(decisionOf(call, call.body.reason));
      const message = messageOf(changed ? "QUEUE_PAUSED" : "QUEUE_WAS_PAUSED", call.language);
      return { success, changed, message, pausedAt: iso(stoppedAt), pauseReason: reason };
    },

    resume: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const resumed = await queue.resume(decisionOf(call, call.body.reason));
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

    retry: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const job = await jobInQueue(site, call.principal, call.params.queue, call.params.jobId);
      const { ticket } = await queue.retry(job.id, decisionOf(call, call.body.reason));
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
      const { queue, beforeSkip } = await decidableQueue(site, call.params.queue);
      const job = await jobInQueue(site, call.principal, call.params.queue, call.params.jobId);
      const found = job.state === "failed" ? await beforeSkip?.(job) : undefined;
      await queue.skip(job.id, decisionOf(call, call.body.reason), new Map([[job.id, found]]));
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
      return answerInTime(site, call.reply, started, ({ resolved, changed, resumedAt }) => {
        const said = changed ? "ALL_SKIPPED_AND_RESUMED" : "ALL_SKIPPED_WHILE_RUNNING";
        const message = messageOf(said, call.language, { count: resolved });
        return { success, skippedCount: resolved, message, resumedAt: iso(resumedAt) };
      });
    },

    fingerprints: async ({ principal, params, query }) => {
      await knownQueue(site, params.queue);
      const scope = { tenant: tenantOf(principal) };
      const page = await read.fingerprints(params.queue, scope, query.page, query.limit);
      return wirePage(page, ({ firstAt, lastAt, lastResolution, ...group }) => ({
        ...group,
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
      const { queue } = await decidableQueue(site, call.params.queue);
      const { id, ticket } = await jobInQueue(site, call.principal, call.params.queue, call.params.jobId);
      await queue.deleteJob(id, decisionOf(call, call.query.reason));
      return { success, message: messageOf("JOB_DELETED", call.language), id, ticket };
    },

    deleteQueue: async (call) => {
      const deletedCount = await site.andon.deleteQueue(
        call.params.queue,
        decisionOf(call, call.query.reason),
      );
      return {
        success,
        deletedCount,
        message: messageOf("QUEUE_DELETED", call.language, { count: deletedCount }),
      };
    },

    purge: async (call) => {
      const { queue } = await decidableQueue(site, call.params.queue);
      const purgedCount = await queue.purge(decisionOf(call, call.body.reason));
      return { success, purgedCount, message: messageOf("PURGED", call.language, { count: purgedCount }) };
    },
  };
}

function failedJobs(site: Site, principal: Principal, queue: string, page: number, limit: number) {
  const { read } = site.andon.store;
  const tenant = tenantOf(principal);
  return tenant === undefined
    ? read.jobs(queue, "failed", page, limit)
    : read.searchJobs({ queue, state: "failed", tenant }, page, limit);
}

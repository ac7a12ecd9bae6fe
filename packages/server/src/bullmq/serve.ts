import { messageOf, type Principal } from "@andon/contract";
import type { NewAuditRow, StoreTx } from "@andon/engine";
import type { QueueSurface } from "../operator/queue-surface.ts";
import type { Site } from "../site.ts";
import { bullmqOverview } from "./overview.ts";
import { stoppedEvent } from "./stopped-event.ts";

const success = true as const;

/** The operator API for BullMQ queues. Redis applies a decision first; then the audit log stores who made it. */
export function serveBullmqQueues(site: Site): QueueSurface {
  const { bullmq } = site;

  const audit = (
    { principal, queue }: { principal: Principal; queue: string },
    row: Pick<NewAuditRow, "action" | "before" | "after"> & { reason: string | undefined; job?: string },
    tell: (tx: StoreTx) => void = () => {},
  ) =>
    site.andon.store.transaction("bullmq-decision", async (tx) => {
      tell(tx);
      await tx.addAudit({
        actor: principal.actor,
        action: row.action,
        target: row.job === undefined ? `queue:${queue}` : `job:${queue}/${row.job}`,
        reason: row.reason?.trim() || null,
        before: row.before,
        after: row.after,
      });
    });

  const tellResumed = (principal: Principal, queue: string) => (tx: StoreTx) =>
    tx.event("queue.resumed", queue, null, { actor: principal.actor, stop: null, epoch: 0 });

  return {
    overview: ({ params }) => bullmqOverview(bullmq, params.queue),

    status: ({ params }) => bullmq.use(params.queue, (operations) => operations.status()),

    failed: ({ params, query }) =>
      bullmq.use(params.queue, (operations) => operations.failed(query.page, query.limit)),

    failedJob: ({ params }) => bullmq.use(params.queue, (operations) => operations.failedJob(params.jobId)),

    event: ({ params }) => bullmq.use(params.queue, (operations) => operations.event(params.syncEventId)),

    pause: async ({ params: { queue }, principal, body, language }) => {
      const { changed, stop } = await bullmq.use(queue, (operations) =>
        operations.pause(body.reason ?? null, principal.actor),
      );
      if (changed)
        await audit(
          { principal, queue },
          {
            action: "queue.pause",
            reason: body.reason,
            before: { state: "open" },
            after: { state: "stopped", stop: stop.stopId, pauseReason: stop.pauseReason },
          },
          (tx) => tx.event("queue.stopped", queue, null, stoppedEvent(queue, "hand", stop)),
        );
      const message = messageOf(changed ? "QUEUE_PAUSED" : "QUEUE_WAS_PAUSED", language);
      return { success, changed, message, pausedAt: stop.pausedAt, pauseReason: stop.pauseReason };
    },

    resume: async ({ params: { queue }, principal, body, language }) => {
      const resumed = await bullmq.use(queue, (operations) => operations.resume());
      const { changed, pendingJobs, unresolvedFailed, resumedAt } = resumed;
      if (changed)
        await audit(
          { principal, queue },
          {
            action: "queue.resume",
            reason: body.reason,
            before: { state: "stopped" },
            after: { state: "open", unresolvedFailed },
          },
          tellResumed(principal, queue),
        );
      const message = messageOf(changed ? "QUEUE_RESUMED" : "QUEUE_WAS_RUNNING", language);
      return { success, changed, message, pendingJobs, unresolvedFailed, resumedAt };
    },

    retry: async ({ params: { queue, jobId: job }, principal, body, language }) => {
      const retried = await bullmq.use(queue, (operations) => operations.retry(job));
      await audit(
        { principal, queue },
        {
          action: "job.retry",
          job,
          reason: body.reason,
          before: { state: "failed" },
          after: { state: "waiting" },
        },
      );
      return { success, message: messageOf("JOB_RETRIED", language), ...retried };
    },

    retryAll: async ({ params: { queue }, principal, body, language }) => {
      const count = await bullmq.useLong(queue, (operations) => operations.retryAll());
      await audit(
        { principal, queue },
        { action: "queue.retry-all", reason: body.reason, before: null, after: { retried: count } },
      );
      return { success, retriedCount: count, message: messageOf("JOBS_RETRIED", language, { count }) };
    },

    skip: async ({ params: { queue, jobId: job }, principal, body, language }) => {
      const { jobId, syncEventId } = await bullmq.use(queue, (operations) =>
        operations.skip(job, body.reason, principal.actor),
      );
      await audit(
        { principal, queue },
        {
          action: "job.skip",
          job,
          reason: body.reason,
          before: { state: "failed" },
          after: { state: "resolved" },
        },
      );
      const newStatus = "MANUALLY_RESOLVED" as const;
      return { success, message: messageOf("JOB_SKIPPED", language), jobId, syncEventId, newStatus };
    },

    skipAllAndResume: async ({ params: { queue }, principal, body, language }) => {
      const { skippedCount, changed, resumedAt } = await bullmq.useLong(queue, (operations) =>
        operations.skipAllAndResume(body.reason, principal.actor),
      );
      await audit(
        { principal, queue },
        {
          action: "queue.skip-all-and-resume",
          reason: body.reason,
          before: { state: changed ? "stopped" : "open" },
          after: { state: "open", skipped: skippedCount },
        },
        changed ? tellResumed(principal, queue) : undefined,
      );
      const said = changed ? "ALL_SKIPPED_AND_RESUMED" : "ALL_SKIPPED_WHILE_RUNNING";
      return {
        success,
        skippedCount,
        message: messageOf(said, language, { count: skippedCount }),
        resumedAt,
      };
    },
  };
}

import type { AppQueue } from "@andon/app";
import type { Decision, Job } from "@andon/contract";
import type { Handler } from "@andon/engine";
import type { BroadcastContext } from "../broadcast-context.ts";
import type { BulkDecisions } from "./bulk-decisions.ts";
import { bulkHandler } from "./bulk-handler.ts";
import { payloadOf } from "./bulk-payload.ts";
import { bulkRehearsal } from "./bulk-rehearsal.ts";
import { forgetBulkJob } from "./forget-bulk-job.ts";

/** The queue of bulk jobs: a lane per tenant and category, 30 s per chunk; a job that finally fails holds its lane. */
export function bulkQueue(context: BroadcastContext, decisions: BulkDecisions): AppQueue {
  const { keep } = context.settings;
  const forget = (job: Job, tx: Parameters<typeof forgetBulkJob>[0]) => forgetBulkJob(tx, job.id);
  const scope = ({ tenant, organization }: Decision) => ({
    tenantId: tenant ?? null,
    organizationId: organization ?? null,
  });
  return {
    rules: {
      timeout: "30s",
      onFinalFailure: "hold-lane",
      probe: false,
      backoff: { delay: "1s", max: "1m" },
      keep: { done: keep, ended: keep },
    },
    handler: bulkHandler(context) as Handler<never>,
    hooks: { deleted: forget, cancelled: forget, resolved: forget, skipped: forget },
    heldAlert: "BULK_JOB_FAILED",
    noun: "bulk",
    rehearse: bulkRehearsal(context.flags),
    describe: (job) => ({
      aggregateType: "BULK_JOB",
      aggregateId: job.id,
      eventType: payloadOf(job).category,
      name: payloadOf(job).title,
      data: job.payload,
    }),
    decide: {
      retry: async (job, decision) => {
        await decisions.resume(job.id, decision, scope(decision));
        return {};
      },
      skip: async (job, decision) => {
        const held = await decisions.removeUnlessHeld(job.id, decision, scope(decision));
        return { pendingDecision: held };
      },
      delete: async (job, decision) => {
        await decisions.remove(job.id, decision, scope(decision));
        return {};
      },
      cancel: async (job, decision) => {
        const { state } = await decisions.abort(job.id, decision, scope(decision));
        return { isRequested: state === "ABORTING" };
      },
    },
  };
}

import type { ServeAll } from "@andon/app";
import type { Decision, Language, Principal } from "@andon/contract";
import { type BroadcastContext, BULK_QUEUE, ownerOf, type Scope, scopeOf } from "../broadcast-context.ts";
import { BroadcastError } from "../contract/errors.ts";
import type { BROADCAST_ROUTES } from "../contract/routes.ts";
import { listAudience } from "./audience-page.ts";
import type { BulkDecisions } from "./bulk-decisions.ts";
import { DEFAULT_CHUNK_SIZE } from "./bulk-payload.ts";
import { findBulkRow } from "./bulk-rows.ts";
import { createBulkJob } from "./create-bulk-job.ts";
import { listBulkJobs } from "./list-bulk-jobs.ts";
import { showBulkJobs, stateOf } from "./show-bulk-job.ts";

export function serveBulkJobs(
  context: BroadcastContext,
  decisions: BulkDecisions,
): ServeAll<typeof BROADCAST_ROUTES>["bulkJobs"] {
  const { andon, queue, once } = context;
  const { store } = andon;

  const shown = async (scope: Scope, id: string, language: Language) => {
    const row = await findBulkRow(store, scope, id);
    const [job] = await showBulkJobs({ andon, queue: queue(BULK_QUEUE) }, [row], language);
    if (!job) throw new BroadcastError("BULK_JOB_NOT_FOUND");
    return job;
  };

  return {
    create: async (call) => {
      const { scheduledAt, chunkSize = DEFAULT_CHUNK_SIZE, throttle = {}, ...texts } = call.body;
      const now = store.clock.now();
      const at = scheduledAt === undefined ? null : Date.parse(scheduledAt);
      const { pauseMs = 0, maxPerSecond = null } = throttle;
      const owner = ownerOf(call);
      const job = {
        ...owner,
        ...texts,
        scheduledAt: at,
        chunkSize,
        throttle: { pauseMs, maxPerSecond },
        createdBy: call.principal.actor,
        traceId: call.traceId,
      };
      const request = { route: "bulkJobs.create", fingerprint: JSON.stringify(call.body) };
      return once(call, request, async (tx) => {
        const id = await createBulkJob(tx, queue(BULK_QUEUE), job, now);
        return { id, state: stateOf(at !== null && at > now ? "scheduled" : "ready", at, now, false) };
      });
    },
    list: (call) => listBulkJobs(context, scopeOf(call), call.query, call.language),
    show: (call) => shown(scopeOf(call), call.params.id, call.language),
    audience: async (call) =>
      listAudience(store, await findBulkRow(store, scopeOf(call), call.params.id), call.query),
    abort: (call) => decisions.abort(call.params.id, decisionOf(call, call.body.reason), scopeOf(call)),
    resume: (call) => decisions.resume(call.params.id, decisionOf(call, call.body.reason), scopeOf(call)),
    change: async (call) => {
      const { throttle, reason } = call.body;
      await decisions.throttle(call.params.id, throttle, decisionOf(call, reason), scopeOf(call));
      return shown(scopeOf(call), call.params.id, call.language);
    },
    remove: async (call) => {
      const { id } = call.params;
      await decisions.remove(id, decisionOf(call, call.query.reason), scopeOf(call));
      return { success: true, id };
    },
  };
}

function decisionOf({ principal }: { principal: Principal }, reason: string | undefined): Decision {
  const { actor, tenantId, organizationId } = principal;
  return {
    actor,
    ...(reason === undefined ? {} : { reason }),
    ...(tenantId === null ? {} : { tenant: tenantId }),
    ...(organizationId === null ? {} : { organization: organizationId }),
  };
}

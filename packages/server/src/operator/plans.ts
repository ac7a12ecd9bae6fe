import { AndonError, iso, isoOrNull, messageOf, type ROUTES } from "@andon/contract";
import type { Plan } from "@andon/engine";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { answerInTime } from "./answer-in-time.ts";
import { decidableQueue } from "./find.ts";
import { decisionOf, namedTenant, tenantOf } from "./scope.ts";
import { millisecondsOf, wireJob } from "./wire.ts";

/** Bulk actions: freeze the set and show its reach first, then do exactly that (G3). */
export function servePlans(site: Site): HttpServeAll<typeof ROUTES>["plans"] {
  const findPlan = async (id: string, tenant: string | undefined): Promise<Plan> => {
    const plan = await site.andon.plan(id, tenant);
    if (!plan) throw new AndonError("PLAN_NOT_FOUND", { plan: id });
    return plan;
  };

  return {
    create: async (call) => {
      const { queue } = await decidableQueue(site, call.body.queue);
      const { action, ids, filter, reason } = call.body;
      const { tenantId, from, to, ...rest } = filter ?? {};
      const tenant = namedTenant(call.principal, tenantId);
      const meant = ids
        ? { ids }
        : { filter: { ...rest, tenant, from: millisecondsOf(from), to: millisecondsOf(to) } };
      const plan = await queue.plan({ action, ...meant }, decisionOf(call, reason));
      return wirePlan(plan);
    },

    show: async ({ principal, params }) => wirePlan(await findPlan(params.id, tenantOf(principal))),

    apply: async (call) => {
      const plan = await findPlan(call.params.id, tenantOf(call.principal));
      const { queue } = await decidableQueue(site, plan.queue);
      const started = await queue.startApply(plan.id, decisionOf(call, call.body.reason));
      return answerInTime(site, call.reply, started, ({ applied, requested, appliedAt, leftOut }) => ({
        success: true as const,
        message: messageOf("PLAN_APPLIED", call.language, { count: applied }),
        appliedCount: applied,
        requestedCount: requested,
        appliedAt: iso(appliedAt),
        leftOut: { count: leftOut.count, jobs: [...leftOut.jobs] },
      }));
    },
  };
}

function wirePlan(plan: Plan) {
  const { createdAt, expiresAt, appliedAt, sample, tenant: _tenant, ...rest } = plan;
  return {
    ...rest,
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
    appliedAt: isoOrNull(appliedAt),
    sample: sample.map(wireJob),
  };
}

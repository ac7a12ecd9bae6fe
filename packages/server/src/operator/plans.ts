import {
  AndonError,
  iso,
  isoOrNull,
  type Language,
  messageOf,
  type ROUTES,
  type Scope,
} from "@andon/contract";
import type { Plan } from "@andon/engine";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { answerInTime } from "./answer-in-time.ts";
import { decidableQueue } from "./find.ts";
import { wireSummary } from "./queue-views.ts";
import { decisionOf, namedScope, scopeOf } from "./scope.ts";
import { millisecondsOf } from "./wire.ts";

/** Bulk actions: a plan fixes the set of jobs and shows its reach; applying it changes exactly that set. */
export function servePlans(site: Site): HttpServeAll<typeof ROUTES>["plans"] {
  const findPlan = async (id: string, scope: Scope): Promise<Plan> => {
    const plan = await site.andon.plan(id, scope);
    if (!plan) throw new AndonError("PLAN_NOT_FOUND", { plan: id });
    return plan;
  };

  return {
    create: async (call) => {
      const { queue } = await decidableQueue(site, call.body.queue);
      const { action, ids, filter, reason } = call.body;
      const { tenantId, organizationId, from, to, ...rest } = filter ?? {};
      const scope = namedScope(call.principal, { tenantId, organizationId });
      const meant = ids
        ? { ids }
        : { filter: { ...rest, ...scope, from: millisecondsOf(from), to: millisecondsOf(to) } };
      const plan = await queue.plan({ action, ...meant }, decisionOf(call, reason));
      return wirePlan(site, plan, call.language);
    },

    show: async ({ principal, params, language }) =>
      wirePlan(site, await findPlan(params.id, scopeOf(principal)), language),

    apply: async (call) => {
      const plan = await findPlan(call.params.id, scopeOf(call.principal));
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

function wirePlan(site: Site, plan: Plan, language: Language) {
  const {
    createdAt,
    expiresAt,
    appliedAt,
    sample,
    tenant: _tenant,
    organization: _organization,
    ...rest
  } = plan;
  return {
    ...rest,
    createdAt: iso(createdAt),
    expiresAt: iso(expiresAt),
    appliedAt: isoOrNull(appliedAt),
    sample: sample.map((job) => wireSummary(site, job, language)),
  };
}

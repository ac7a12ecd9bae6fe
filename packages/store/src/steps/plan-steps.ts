import type { Scope } from "@andon/contract";
import type { PlanAction, PlanRow } from "@andon/engine";
import { inScope, scopeValues } from "./in-scope.ts";
import { type StepContext, shared } from "./statement-registry.ts";

interface RawPlan {
  id: string;
  queue: string;
  action: PlanAction;
  actor: string;
  reason: string | null;
  tenant: string | null;
  organization: string | null;
  created_at: number;
  expires_at: number;
  applied_at: number | null;
  reach: string;
  count: number;
}

const save = shared(
  "plan-save",
  () => `insert into andon_plans (id, queue, action, actor, reason, tenant, organization, created_at, expires_at, reach, count)
values (@id, @queue, @action, @actor, @reason, @tenant, @organization, @createdAt, @expiresAt, @reach, @count)
on conflict (id) do update set expires_at = excluded.expires_at, reach = excluded.reach, count = excluded.count`,
);
const read = shared(
  "plan-read",
  () => `select id, queue, action, actor, reason, tenant, organization, created_at, expires_at, applied_at, reach, count
from andon_plans where id = @id and ${inScope()}`,
);
const close = shared("plan-close", () => "update andon_plans set applied_at = @at where id = @id");
const old = shared(
  "plans-old",
  () =>
    "select id from andon_plans where queue = @queue and expires_at < @before order by expires_at limit 1",
);
const drop = shared("plan-drop", () => "delete from andon_plans where id = @id");
const dropList = shared("plan-drop-list", () => "delete from andon_operation_steps where list = @id");

/** The plan's set is the list of its name; while the list is being written, the plan counts as expired. */
export async function savePlan(at: StepContext, { reach, ...plain }: PlanRow): Promise<void> {
  await at.session.run(save(at.dialect), { ...plain, reach: JSON.stringify(reach) });
}

/** With a scope, returns only a plan within it. */
export async function readPlan(at: StepContext, id: string, scope?: Scope): Promise<PlanRow | undefined> {
  const [raw] = await at.session.all<RawPlan>(read(at.dialect), { id, ...scopeValues(scope) });
  return raw && planRow(raw);
}

export async function closePlan(at: StepContext, id: string, when: number): Promise<void> {
  await at.session.run(close(at.dialect), { id, at: when });
}

/** Deletes one plan with its list, which may be long; false if none is old. */
export async function dropPlan(at: StepContext, queue: string, before: number): Promise<boolean> {
  const [plan] = await at.session.all<{ id: string }>(old(at.dialect), { queue, before });
  if (!plan) return false;
  for (const statement of [dropList, drop]) await at.session.run(statement(at.dialect), plan);
  return true;
}

function planRow(raw: RawPlan): PlanRow {
  return {
    id: raw.id,
    queue: raw.queue,
    action: raw.action,
    actor: raw.actor,
    reason: raw.reason,
    tenant: raw.tenant,
    organization: raw.organization,
    createdAt: raw.created_at,
    expiresAt: raw.expires_at,
    appliedAt: raw.applied_at,
    reach: JSON.parse(raw.reach),
    count: raw.count,
  };
}

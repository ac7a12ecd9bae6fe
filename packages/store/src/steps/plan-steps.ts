import type { PlanAction, PlanRow, PlanTarget } from "@andon/engine";
import { type StepContext, shared } from "./kit.ts";

interface RawPlan {
  id: string;
  queue: string;
  action: PlanAction;
  actor: string;
  reason: string | null;
  tenant: string | null;
  created_at: number;
  expires_at: number;
  applied_at: number | null;
  reach: string;
  targets: string;
}

const add = shared(
  "plan-add",
  () => `insert into andon_plans (id, queue, action, actor, reason, tenant, created_at, expires_at, reach, targets)
values (@id, @queue, @action, @actor, @reason, @tenant, @createdAt, @expiresAt, @reach, @targets)`,
);
const read = shared(
  "plan-read",
  () => `select id, queue, action, actor, reason, tenant, created_at, expires_at, applied_at, reach, targets
from andon_plans where id = @id and (cast(@tenant as text) is null or tenant = @tenant)`,
);
const close = shared("plan-close", () => "update andon_plans set applied_at = @at where id = @id");
const drop = shared(
  "plans-drop",
  () => "delete from andon_plans where queue = @queue and expires_at < @before",
);

/** As rows rather than objects: a plan has up to 10,000 of them. */
type StoredTarget = readonly [number, string, string, PlanTarget["state"], number, number];

export async function addPlan(at: StepContext, { reach, targets, ...plain }: PlanRow): Promise<void> {
  const stored = targets.map(
    ({ pos, id, ticket, state, attempts, fence }): StoredTarget => [pos, id, ticket, state, attempts, fence],
  );
  await at.session.run(add(at.dialect), {
    ...plain,
    reach: JSON.stringify(reach),
    targets: JSON.stringify(stored),
  });
}

/** With a tenant only a plan of that tenant is found. */
export async function readPlan(
  at: StepContext,
  id: string,
  tenant: string | null,
): Promise<PlanRow | undefined> {
  const [raw] = await at.session.all<RawPlan>(read(at.dialect), { id, tenant });
  return raw && planRow(raw);
}

export async function closePlan(at: StepContext, id: string, when: number): Promise<void> {
  await at.session.run(close(at.dialect), { id, at: when });
}

export async function dropPlans(at: StepContext, queue: string, before: number): Promise<void> {
  await at.session.run(drop(at.dialect), { queue, before });
}

function planRow(raw: RawPlan): PlanRow {
  return {
    id: raw.id,
    queue: raw.queue,
    action: raw.action,
    actor: raw.actor,
    reason: raw.reason,
    tenant: raw.tenant,
    createdAt: raw.created_at,
    expiresAt: raw.expires_at,
    appliedAt: raw.applied_at,
    reach: JSON.parse(raw.reach),
    targets: (JSON.parse(raw.targets) as StoredTarget[]).map(([pos, id, ticket, state, attempts, fence]) => ({
      pos,
      id,
      ticket,
      state,
      attempts,
      fence,
    })),
  };
}

import { AndonError, type Decision } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import type { ListItem, OperationRow, PlannedJob, PlanRow, Store, StoreTx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { isInScope } from "../scope.ts";
import { type CancelledJobs, signalWorkers } from "../verbs/cancel.ts";
import { planState } from "../verbs/plan.ts";
import { ACTIONS, decideOneOf, isAsPlanned } from "./actions.ts";
import type { DecisionContext } from "./decide-over-failed.ts";
import { findingsOf } from "./findings.ts";
import { newOperation } from "./new-operation.ts";
import type { Started } from "./operations.ts";
import { ONE_STEP } from "./step-size.ts";

export interface Applied {
  /** The number of jobs to which the action was applied. */
  applied: number;
  /** How many of them are running and were asked to stop. */
  requested: number;
  appliedAt: number;
  /** Jobs that changed after the whole set was checked, or that a hook refused; ids of the first 100. */
  leftOut: { count: number; jobs: readonly string[] };
}

const MOST_LISTED = 20;
const NONE_LEFT_OUT = { count: 0, jobs: [] };

/**
 * Applies a plan's action to exactly its jobs, or to none if one of them has changed since. A few jobs change in one
 * transaction; of many, the whole set is checked first, and jobs that change afterwards are left out.
 */
export async function applyPlan(
  context: DecisionContext,
  queue: QueueDefinition,
  planId: string,
  decision: Decision,
): Promise<Started<Applied>> {
  const plan = await context.store.read.plan(planId);
  return plan && (plan.count > ONE_STEP || decideOneOf(queue, plan.action))
    ? applyInSteps(context, queue, plan, decision)
    : applyAtOnce(context.store, queue, planId, decision);
}

async function applyAtOnce(
  store: Store,
  queue: QueueDefinition,
  planId: string,
  decision: Decision,
): Promise<Started<Applied>> {
  const items = await store.read.listStep(planId, 0);
  const positions = items.map(([pos]) => pos);
  const isSkip = (await store.read.plan(planId))?.action === "skip";
  const findings =
    isSkip && queue.beforeSkip ? await findingsOf(store, positions, queue.beforeSkip) : undefined;
  const { cancelled, ...applied } = await store.transaction("apply-plan", async (tx) => {
    // A plan is applied only under the exclusive lock of its queue, so its row needs no lock of its own.
    const row = await tx.lockQueue(queue.name, "exclusive");
    const plan = await openPlan(tx, queue.name, planId, decision);
    const lanes = (await tx.jobs(positions)).flatMap(lanesOf);
    await tx.lockLanes(queue.name, [...new Set(lanes)]);
    const jobs = await tx.lockJobs(positions);
    refuseIfStale(changedOf(items, jobs));
    const operation = operationOf(plan, decision, tx.now(), "");
    const cancelled = await ACTIONS[plan.action].apply(tx, queue, row, jobs, operation, findings);
    const after = { applied: jobs.length, requested: cancelled.requested };
    await close(tx, plan, operation, after);
    return { ...after, appliedAt: tx.now(), leftOut: NONE_LEFT_OUT, cancelled };
  });
  signalWorkers(store, queue.name, cancelled as CancelledJobs);
  return { id: null, total: applied.applied, finished: Promise.resolve(applied) };
}

async function applyInSteps(
  { store, operations }: DecisionContext,
  queue: QueueDefinition,
  plan: PlanRow,
  decision: Decision,
): Promise<Started<Applied>> {
  // A plan that is used, or outside the scope of the decision, is refused before its set is read.
  await store.transaction("apply-plan", (tx) => openPlan(tx, queue.name, plan.id, decision));
  await checkWholeSet(store, plan);
  const operation = await store.transaction("apply-plan", async (tx) => {
    await tx.lockQueue(queue.name, "exclusive");
    const open = await openPlan(tx, queue.name, plan.id, decision);
    const begun = operationOf(open, decision, tx.now(), operations.name);
    await tx.addOperation(begun);
    await close(tx, open, begun, { operation: begun.id, total: open.count });
    return begun;
  });
  return operations.start(operation, ({ done, requested, leftOut, leftOutJobs, createdAt }) => ({
    applied: done,
    requested,
    appliedAt: createdAt,
    leftOut: { count: leftOut, jobs: leftOutJobs },
  }));
}

function operationOf(plan: PlanRow, decision: Decision, at: number, driver: string): OperationRow {
  return newOperation(at, plan.action, {
    queue: plan.queue,
    actor: decision.actor,
    reason: decision.reason?.trim() || plan.reason,
    tenant: plan.tenant,
    organization: plan.organization,
    details: { plan: plan.id },
    list: plan.id,
    total: plan.count,
    driver,
  });
}

async function close(
  tx: StoreTx,
  plan: PlanRow,
  { actor, reason }: OperationRow,
  after: unknown,
): Promise<void> {
  await tx.closePlan(plan.id, tx.now());
  await tx.addAudit({
    actor,
    reason,
    action: "plan.apply",
    target: `plan:${plan.id}`,
    tenant: plan.tenant,
    organization: plan.organization,
    before: { queue: plan.queue, action: plan.action, plannedBy: plan.actor, reach: plan.reach },
    after,
  });
}

async function openPlan(tx: StoreTx, queue: string, planId: string, decision: Decision): Promise<PlanRow> {
  const plan = await tx.plan(planId);
  if (!plan || plan.queue !== queue || !isInScope(plan, decision))
    throw new AndonError("PLAN_NOT_FOUND", { plan: planId });
  const state = planState(plan, tx.now());
  if (state !== "OPEN") throw new AndonError("PLAN_USED", { plan: planId, state });
  return plan;
}

/** Reads the members that show whether a job has changed, one row of the list at a time and without locks. */
async function checkWholeSet(store: Store, { id }: PlanRow): Promise<void> {
  const changed: string[] = [];
  for (let number = 0; ; number++) {
    const items = await store.read.listStep(id, number);
    if (items.length === 0) break;
    changed.push(...changedOf(items, await store.read.plannedJobs(items.map(([pos]) => pos))));
  }
  refuseIfStale(changed);
}

function changedOf(items: readonly ListItem[], jobs: readonly Omit<PlannedJob, "lanes">[]): string[] {
  const found = new Map(jobs.map((job) => [job.pos, job]));
  return items.flatMap((item) => (isAsPlanned(item, found.get(item[0])) ? [] : [item[1] ?? String(item[0])]));
}

function refuseIfStale(changed: readonly string[]): void {
  if (changed.length > 0)
    throw new AndonError("PLAN_STALE", { count: changed.length, jobs: changed.slice(0, MOST_LISTED) });
}

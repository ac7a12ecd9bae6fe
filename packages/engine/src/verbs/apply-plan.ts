import { AndonError, type Decision } from "@andon/contract";
import type { JobRow, PlanAction, PlanRow, PlanTarget, QueueRow, Store, StoreTx } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { type CancelledJobs, cancelJobs, tellWorkers } from "./cancel.ts";
import { planState } from "./plan.ts";
import { settle } from "./resolve.ts";
import { queueAgain } from "./retry.ts";

export interface Applied {
  /** Jobs that the action was done to. */
  applied: number;
  /** Of them, running ones that are asked to stop. */
  requested: number;
  appliedAt: number;
}

const MOST_LISTED = 20;
const NOBODY: CancelledJobs = { requested: 0, workers: [] };

/** What each action does to jobs that are locked with their queue and lanes: the steps of the verbs for one job. */
const ACTIONS: Record<
  PlanAction,
  (
    tx: StoreTx,
    queue: QueueDefinition,
    row: QueueRow,
    jobs: readonly JobRow[],
    who: { actor: string; reason: string | null },
    findings: Findings | undefined,
  ) => Promise<CancelledJobs>
> = {
  retry: async (tx, queue, _row, jobs, { actor, reason }) => {
    await queueAgain(tx, queue, jobs, { actor, reason: reason ?? undefined });
    return NOBODY;
  },
  skip: async (tx, queue, _row, jobs, { actor, reason }, findings) => {
    await settle(tx, queue, jobs, { actor, reason: reason ?? "" }, findings);
    return NOBODY;
  },
  cancel: cancelJobs,
};

/** Does a plan's action to exactly its set, in one transaction, or nothing where one of them has changed since. */
export async function applyPlan(
  store: Store,
  queue: QueueDefinition,
  planId: string,
  decision: Decision,
  findings?: Findings,
): Promise<Applied> {
  const { cancelled, ...applied } = await store.transaction("apply-plan", async (tx) => {
    // Whoever applies a plan holds its queue, so its row needs no lock of its own.
    const row = await tx.lockQueue(queue.name, "exclusive");
    const plan = await openPlan(tx, queue.name, planId, decision);
    const jobs = await lockTargets(tx, plan);
    const who = { actor: decision.actor, reason: decision.reason?.trim() || plan.reason };
    const cancelled = await ACTIONS[plan.action](tx, queue, row, jobs, who, findings);
    const appliedAt = tx.now();
    await tx.closePlan(plan.id, appliedAt);
    await tx.addAudit({
      ...who,
      action: "plan.apply",
      target: `plan:${plan.id}`,
      tenant: plan.tenant,
      before: { queue: plan.queue, action: plan.action, plannedBy: plan.actor, reach: plan.reach },
      after: { applied: jobs.length, requested: cancelled.requested },
    });
    return { applied: jobs.length, requested: cancelled.requested, appliedAt, cancelled };
  });
  tellWorkers(store, queue.name, cancelled);
  return applied;
}

async function openPlan(tx: StoreTx, queue: string, planId: string, { tenant }: Decision): Promise<PlanRow> {
  const plan = await tx.plan(planId);
  const inScope = tenant === undefined || tenant === null || plan?.tenant === tenant;
  if (!plan || plan.queue !== queue || !inScope) throw new AndonError("PLAN_NOT_FOUND", { plan: planId });
  const state = planState(plan, tx.now());
  if (state !== "OPEN") throw new AndonError("PLAN_USED", { plan: planId, state });
  return plan;
}

/** The jobs of a plan, locked after their lanes, as they were when it was made. */
async function lockTargets(tx: StoreTx, { queue, targets }: PlanRow): Promise<JobRow[]> {
  const positions = targets.map((target) => target.pos);
  const keys = (await tx.jobs(positions)).flatMap((job) => job.keys);
  await tx.lockLanes(queue, [...new Set(keys)]);
  const jobs = new Map((await tx.lockJobs(positions)).map((job) => [job.pos, job]));
  const changed = targets.filter((target) => !isAsPlanned(target, jobs.get(target.pos)));
  if (changed.length > 0) {
    const ids = changed.slice(0, MOST_LISTED).map((target) => target.id);
    throw new AndonError("PLAN_STALE", { count: changed.length, jobs: ids });
  }
  return [...jobs.values()];
}

function isAsPlanned(target: PlanTarget, job: JobRow | undefined): boolean {
  if (!job) return false;
  const { ticket, state, attempts, fence } = job;
  return (
    ticket === target.ticket &&
    state === target.state &&
    attempts === target.attempts &&
    fence === target.fence
  );
}

import { AndonError, type Decision, type HeldAction, type HeldDecision, type Scope } from "@andon/contract";
import { newId } from "../ids.ts";
import { lanesOf } from "../lanes/lane-id.ts";
import { guard, isAllowed } from "../lifecycle/job-transitions.ts";
import type { CancelTime, DecisionRow, JobRow, Store, StoreTx } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { isInScope } from "../scope.ts";
import { type CancelledJobs, cancelJobs, tellWorkers } from "./cancel.ts";
import { findJob } from "./find-job.ts";
import { reasonOf, skipJobs } from "./skip.ts";

const SYSTEM = "system";

/** Keeps a decision about one job for a while; the job keeps its state until then. What could not be done now is refused now. */
export async function holdBack(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  { action, at: cancelAt = null }: { action: HeldAction; at?: CancelTime | null },
  decision: Decision,
  windowMs: number,
): Promise<HeldDecision> {
  const reason = action === "skip" ? reasonOf(decision) : decision.reason?.trim() || null;
  const held = await store.transaction("hold-back", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    await tx.lockQueue(queue.name, "exclusive");
    const [job] = await tx.lockJobs([found.pos]);
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
    guard(job, action);
    const pending = await tx.pendingDecision(job.id);
    if (pending) throw new AndonError("DECISION_PENDING", { job: job.id, decision: pending.id });
    const madeAt = tx.now();
    const row: DecisionRow = {
      id: newId(madeAt),
      queue: queue.name,
      jobId: job.id,
      pos: job.pos,
      tenant: job.tenant,
      organization: job.organization,
      action,
      cancelAt,
      actor: decision.actor,
      reason,
      jobState: job.state,
      fence: job.fence,
      madeAt,
      appliesAt: madeAt + windowMs,
      state: "pending",
      settledAt: null,
      settledBy: null,
      note: null,
    };
    await tx.addDecision(row);
    await tx.addAudit({
      actor: decision.actor,
      action: `job.${action}-held-back`,
      target: `job:${job.id}`,
      reason,
      before: { state: job.state },
      after: { state: job.state, decision: row.id, appliesAt: row.appliesAt },
    });
    return row;
  });
  store.signal({ kind: "timer" });
  return shownDecision(held);
}

/** Calls a decision off that is not applied yet. */
export async function undo(store: Store, id: string, decision: Decision): Promise<HeldDecision> {
  return store.transaction("undo", async (tx) => {
    const row = await tx.lockDecision(id);
    if (!row || !isInScope(row, decision)) throw new AndonError("DECISION_NOT_FOUND", { decision: id });
    if (row.state !== "pending") throw new AndonError("DECISION_SETTLED", { decision: id, state: row.state });
    const settled = { state: "undone" as const, by: decision.actor, note: decision.reason?.trim() || null };
    await tx.settleDecision(id, settled);
    await tx.addAudit({
      actor: decision.actor,
      action: "decision.undo",
      target: `job:${row.jobId}`,
      reason: settled.note,
      before: { decision: id, action: row.action, by: row.actor },
      after: { decision: id, state: "undone" },
    });
    return shownDecision({
      ...row,
      state: "undone",
      settledAt: tx.now(),
      settledBy: settled.by,
      note: settled.note,
    });
  });
}

/** A decision of any state; with a scope only one about a job within it. */
export async function findDecision(
  store: Store,
  id: string,
  scope: Scope,
): Promise<HeldDecision | undefined> {
  const row = await store.read.decision(id);
  return row && isInScope(row, scope) ? shownDecision(row) : undefined;
}

/** Applies one decision that is due, or lets it lapse where the job is not what was decided about. */
export async function applyDecision(
  store: Store,
  queue: QueueDefinition,
  { id, pos }: DecisionRow,
): Promise<void> {
  const seen = await store.read.job({ pos });
  const findings =
    seen?.state === "failed" && queue.beforeSkip
      ? new Map([[seen.id, await queue.beforeSkip(seen)]])
      : undefined;
  const cancelled = await store.transaction("apply-decision", async (tx) => {
    const queueRow = await tx.lockQueue(queue.name, "exclusive");
    if (seen) await tx.lockLanes(queue.name, lanesOf(seen));
    const [job] = await tx.lockJobs([pos]);
    const row = await tx.lockDecision(id);
    if (row?.state !== "pending" || row.appliesAt > tx.now()) return undefined;
    const change = changeOf(row, job);
    if (change !== null || !job) return lapse(tx, row, change ?? "the job is gone");
    await tx.settleDecision(id, { state: "applied", by: SYSTEM, note: null });
    const who = { actor: row.actor, reason: row.reason };
    if (row.action === "cancel") return cancelJobs(tx, queue, queueRow, [job], who, row.cancelAt ?? "now");
    await skipJobs(tx, queue, [job], who, findings);
    return undefined;
  });
  tellWorkers(store, queue.name, cancelled ?? { requested: 0, workers: [] });
}

/** How the job has changed since the decision; null where it may be applied. A cancel holds for as long as the job is open. */
function changeOf({ action, fence, jobState }: DecisionRow, job: JobRow | undefined): string | null {
  if (!job) return "the job is gone";
  if (action === "cancel") return isAllowed(job.state, "cancel") ? null : `the job is ${job.state}`;
  if (job.state !== jobState) return `the job was ${jobState} and is ${job.state}`;
  return job.fence === fence ? null : "the job was tried again";
}

async function lapse(tx: StoreTx, row: DecisionRow, note: string): Promise<CancelledJobs | undefined> {
  await tx.settleDecision(row.id, { state: "lapsed", by: SYSTEM, note });
  await tx.addAudit({
    actor: SYSTEM,
    action: "decision.lapse",
    target: `job:${row.jobId}`,
    reason: note,
    before: { decision: row.id, action: row.action, by: row.actor },
    after: { decision: row.id, state: "lapsed" },
  });
  return undefined;
}

export function shownDecision(row: DecisionRow): HeldDecision {
  const { id, queue, jobId, action, actor, reason, madeAt, appliesAt, state, settledAt, settledBy, note } =
    row;
  return { id, queue, jobId, action, actor, reason, madeAt, appliesAt, state, settledAt, settledBy, note };
}

import { AndonError, type Decision, type HeldAction, type HeldDecision, type Scope } from "@andon/contract";
import { newId } from "../ids.ts";
import { guard } from "../lifecycle/job-transitions.ts";
import type { CancelTime, DecisionRow, Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { isInScope } from "../scope.ts";
import { DEFAULT_NOUN } from "./abort.ts";
import { findJob } from "./find-job.ts";
import { reasonOf } from "./skip.ts";

export interface HeldWish {
  readonly action: HeldAction;
  /** Only for a cancel. */
  readonly at?: CancelTime;
  /** The audit action of the decision when it is applied. */
  readonly audited?: string | undefined;
  /** Default: false. */
  readonly needsReason?: boolean;
  /** Its app carries it out, and checks itself in which states that is possible. Default: false. */
  readonly isApps?: boolean;
}

/**
 * Holds back a decision about one job; the job keeps its state until the decision is applied. A decision that is not
 * possible now is refused at once.
 */
export async function holdBack(
  store: Store,
  queue: QueueDefinition,
  jobId: string,
  { action, at: cancelAt, audited, needsReason = false, isApps = false }: HeldWish,
  decision: Decision,
  windowMs: number,
): Promise<HeldDecision> {
  const reason = needsReason ? reasonOf(decision) : decision.reason?.trim() || null;
  const noun = action === "cancel" ? (queue.noun ?? DEFAULT_NOUN) : DEFAULT_NOUN;
  const held = await store.transaction("hold-back", async (tx) => {
    const found = await findJob(tx, queue.name, jobId, decision);
    await tx.lockQueue(queue.name, "exclusive");
    const [job] = await tx.lockJobs([found.pos]);
    if (!job) throw new AndonError("JOB_NOT_FOUND", { job: jobId });
    if (!isApps) guard(job, action === "cancel" ? "cancel" : "skip");
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
      cancelAt: cancelAt ?? null,
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
      action: `${audited ?? `${noun}.${action}`}-held-back`,
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

/** Withdraws a decision that is not applied yet. */
export async function undo(store: Store, id: string, decision: Decision): Promise<HeldDecision> {
  return store.transaction("undo", async (tx) => {
    const row = await tx.lockDecision(id);
    if (!row || !isInScope(row, decision)) throw new AndonError("DECISION_NOT_FOUND", { decision: id });
    if (row.state !== "pending") throw new AndonError("DECISION_SETTLED", { decision: id, state: row.state });
    // An app may be applying it already, in its own transactions.
    if (row.appliesAt <= tx.now()) throw new AndonError("DECISION_SETTLED", { decision: id, state: "due" });
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

export function shownDecision(row: DecisionRow): HeldDecision {
  const { id, queue, jobId, action, actor, reason, madeAt, appliesAt, state, settledAt, settledBy, note } =
    row;
  return { id, queue, jobId, action, actor, reason, madeAt, appliesAt, state, settledAt, settledBy, note };
}

import { isAndonError } from "@andon/contract";
import { lanesOf } from "../lanes/lane-id.ts";
import { isAllowed } from "../lifecycle/job-transitions.ts";
import { decideWithRest, lockWithRest } from "../operations/skip-with-rest.ts";
import type { DecisionRow, JobRow, Store, StoreTx } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { SYSTEM } from "../system-actor.ts";
import { type CancelledJobs, cancelJobs, signalWorkers } from "../verbs/cancel.ts";
import { skipJobs } from "../verbs/skip.ts";

const NOBODY: CancelledJobs = { requested: 0, workers: [] };

/**
 * Applies one decision that is due, or lets it lapse if the job has changed since. If the app has its own rule for such
 * a decision (`decideEach`), that rule carries it out.
 */
export async function applyDecision(
  store: Store,
  queue: QueueDefinition,
  decision: DecisionRow,
): Promise<void> {
  const { action, pos } = decision;
  const job = await store.read.job({ pos });
  const carryOut = action === "skip-with-rest" ? undefined : queue.decideEach?.[action];
  if (carryOut && job) return applyByApp(store, decision, job, carryOut);
  const findings =
    job?.state === "failed" && queue.beforeSkip
      ? new Map([[job.id, await queue.beforeSkip(job)]])
      : undefined;
  const cancelled = await store.transaction("apply-decision", (tx) =>
    applyByEngine(tx, queue, decision.id, job, findings),
  );
  signalWorkers(store, queue.name, cancelled);
}

async function applyByEngine(
  tx: StoreTx,
  queue: QueueDefinition,
  id: string,
  seen: JobRow | undefined,
  findings: Findings | undefined,
): Promise<CancelledJobs> {
  const queueRow = await tx.lockQueue(queue.name, "exclusive");
  if (seen) await tx.lockLanes(queue.name, lanesOf(seen));
  const [job] = seen ? await tx.lockJobs([seen.pos]) : [];
  const row = await tx.lockDecision(id);
  if (row?.state !== "pending" || row.appliesAt > tx.now()) return NOBODY;
  const change = job ? changeOf(row, job) : "the job is gone";
  if (change !== null || !job) {
    await lapse(tx, row, change ?? "the job is gone");
    return NOBODY;
  }
  await tx.settleDecision(id, { state: "applied", by: SYSTEM, note: null });
  const who = { actor: row.actor, reason: row.reason };
  if (row.action === "cancel") return cancelJobs(tx, queue, queueRow, [job], who, row.cancelAt ?? "now");
  if (row.action === "skip") await skipJobs(tx, queue, [job], who, findings);
  else
    await decideWithRest(tx, queue, queueRow, await lockWithRest(tx, job), { who, driver: null, findings });
  return NOBODY;
}

type CarryOut = NonNullable<NonNullable<QueueDefinition["decideEach"]>["skip"]>;

/**
 * The app applies the decision in its own transactions; the decision's row is settled afterwards. If the process dies
 * in between, the row lapses, since the job has changed, although the decision was applied.
 */
async function applyByApp(store: Store, { id }: DecisionRow, job: JobRow, carryOut: CarryOut): Promise<void> {
  const row = await store.read.decision(id);
  if (row?.state !== "pending" || row.appliesAt > store.clock.now()) return;
  const change = row.action === "skip" ? changeOf(row, job) : null;
  let refusal: string | null = null;
  if (change === null)
    try {
      const reason = row.reason === null ? {} : { reason: row.reason };
      await carryOut(job, { actor: row.actor, atOnce: true, ...reason }, row.cancelAt ?? undefined);
    } catch (error) {
      if (!isAndonError(error) || error.status >= 500) throw error;
      refusal = error.message;
    }
  const note = change ?? refusal;
  await store.transaction("apply-decision", async (tx) => {
    const now = await tx.lockDecision(id);
    if (now?.state !== "pending") return;
    if (note === null) await tx.settleDecision(id, { state: "applied", by: SYSTEM, note });
    else await lapse(tx, row, note);
  });
}

/**
 * How the job has changed since the decision; null if it may be applied. A cancel may be applied in every state that
 * allows it.
 */
function changeOf({ action, fence, jobState }: DecisionRow, job: JobRow): string | null {
  if (action === "cancel") return isAllowed(job.state, "cancel") ? null : `the job is ${job.state}`;
  if (job.state !== jobState) return `the job was ${jobState} and is ${job.state}`;
  return job.fence === fence ? null : "the job was tried again";
}

async function lapse(tx: StoreTx, row: DecisionRow, note: string): Promise<void> {
  await tx.settleDecision(row.id, { state: "lapsed", by: SYSTEM, note });
  await tx.addAudit({
    actor: SYSTEM,
    action: "decision.lapse",
    target: `job:${row.jobId}`,
    reason: note,
    before: { decision: row.id, action: row.action, by: row.actor },
    after: { decision: row.id, state: "lapsed" },
  });
}

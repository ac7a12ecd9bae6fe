import { lanesOf } from "../lanes/lane-id.ts";
import type { JobRow, OperationAction, OperationRow, QueueRow, Store, StoreTx } from "../ports/store.ts";
import type { Findings, QueueDefinition } from "../queue-definition.ts";
import { decideOneOf } from "./actions.ts";
import { findingsOf } from "./findings.ts";
import { newOperation } from "./new-operation.ts";
import type { Operations, Started } from "./operations.ts";
import { ONE_STEP } from "./step-size.ts";

export interface DecisionContext {
  readonly store: Store;
  readonly operations: Operations;
}

interface OverFailed<Result> {
  readonly action: OperationAction;
  /** Opens the transaction of the decision under its own name. */
  transaction<T>(work: (tx: StoreTx) => Promise<T>): Promise<T>;
  /** The action of the decision's own row in the audit log; each job has a row of its own. */
  readonly audited: string;
  readonly decision: { readonly actor: string; readonly reason: string | null };
  /** Whether `beforeSkip` of the queue is called first. */
  readonly callsBeforeSkip?: boolean;
  /** Applies the decision to a few jobs, in this one transaction. */
  atOnce(
    tx: StoreTx,
    jobs: readonly JobRow[],
    row: QueueRow,
    findings: Findings | undefined,
  ): Promise<Result>;
  resultOf(operation: OperationRow): Result;
}

/** A decision over every job that has failed by now: in one transaction if they are few, else as an operation. */
export async function decideOverFailed<Result>(
  { store, operations }: DecisionContext,
  queue: QueueDefinition,
  { action, transaction, audited, decision, callsBeforeSkip, atOnce, resultOf }: OverFailed<Result>,
): Promise<Started<Result>> {
  const isOneByOne = decideOneOf(queue, action) !== undefined;
  const findings = callsBeforeSkip && !isOneByOne ? await findingsOfFew(store, queue) : undefined;
  const record = (tx: StoreTx, failed: number, after: unknown) =>
    tx.addAudit({ ...decision, action: audited, target: `queue:${queue.name}`, before: { failed }, after });
  const decided = await transaction(async (tx) => {
    const row = await tx.lockQueue(queue.name, "exclusive");
    const positions = await tx.firstEnded(queue.name, "failed", ONE_STEP + 1);
    if (positions.length <= ONE_STEP && !(isOneByOne && positions.length > 0)) {
      const jobs = await lockWithLanes(tx, queue.name, positions);
      if (jobs.length > 0) await record(tx, jobs.length, { done: jobs.length });
      return { total: jobs.length, result: await atOnce(tx, jobs, row, findings) };
    }
    const upTo = await tx.lastEndedPlace(queue.name, "failed");
    const details = upTo ? { upTo } : {};
    const operation = newOperation(tx.now(), action, {
      queue: queue.name,
      ...decision,
      details,
      driver: operations.name,
    });
    await tx.addOperation(operation);
    await record(tx, (await tx.counts(queue.name)).failed, { operation: operation.id });
    return { operation };
  });
  if (decided.operation) return operations.start(decided.operation, resultOf);
  store.signal({ kind: "work", queue: queue.name });
  return { id: null, total: decided.total, finished: Promise.resolve(decided.result) };
}

/** Locks the lanes of the jobs and then the jobs. The queue is locked exclusively already. */
async function lockWithLanes(tx: StoreTx, queue: string, positions: readonly number[]): Promise<JobRow[]> {
  const lanes = (await tx.jobs(positions)).flatMap(lanesOf);
  await tx.lockLanes(queue, [...new Set(lanes)]);
  return tx.lockJobs(positions);
}

/** Undefined for many jobs: each step calls `beforeSkip` for its own jobs then. */
async function findingsOfFew(
  store: Store,
  { name, beforeSkip }: QueueDefinition,
): Promise<Findings | undefined> {
  if (!beforeSkip) return undefined;
  const { items, total } = await store.read.jobs(name, "failed", 1, ONE_STEP);
  return total > ONE_STEP
    ? undefined
    : findingsOf(
        store,
        items.map((job) => job.pos),
        beforeSkip,
      );
}

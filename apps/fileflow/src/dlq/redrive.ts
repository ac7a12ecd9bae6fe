import type { StoreTx } from "@andon/engine";
import { FileflowError } from "../contract/errors.ts";
import type { DlqState } from "../contract/states.ts";
import type { Figures } from "../figures.ts";
import { EXECUTION_QUEUE, type FileflowContext, type Scope } from "../fileflow-context.ts";
import { createExecutions, executionOf } from "../ingest/create-executions.ts";
import { readMessage } from "../ingest/read-message.ts";
import { refusalReason } from "../ingest/refusal-reasons.ts";
import type { DeadLetters, DlqRow } from "./dead-letters.ts";

export interface RedrivePorts {
  readonly context: FileflowContext;
  readonly letters: DeadLetters;
  readonly figures: Figures;
}

export interface Redriven {
  readonly id: string;
  readonly state: DlqState;
  readonly redriveCount: number;
  readonly executionId: string | null;
  readonly created: boolean | null;
  readonly error: string | null;
  readonly reasons: string[];
}

interface Who {
  readonly actor: string;
  readonly reason: string | null;
}

interface Outcome {
  readonly executionId: string | null;
  readonly created: boolean | null;
  readonly error: string | null;
  readonly reasons: string[];
}

/**
 * Ingests a dead letter again: its execution, state and lineage change in one transaction. Every redrive increments its
 * count, and a failure of the last allowed redrive quarantines it. After a success, its copy is removed from the SQS
 * dead-letter queue if it came from SQS. `within`: writes that commit in the same transaction.
 */
export async function redriveOne(
  ports: RedrivePorts,
  scope: Scope,
  id: string,
  who: Who,
  within: (tx: StoreTx, redriven: Redriven) => Promise<void> = async () => {},
): Promise<Redriven> {
  const { context, letters, figures } = ports;
  const { quarantineAfter } = context.settings;
  const { redriven, source } = await context.andon.store.transaction("redrive", async (tx) => {
    const letter = await letters.lock(tx, scope, id);
    mustBeDead(letter, "redrive");
    const outcome = await ingestAgain(ports, tx, letter);
    const redriveCount = Number(letter.redriveCount) + 1;
    const isLast = outcome.error !== null && redriveCount >= quarantineAfter;
    const state: DlqState = outcome.error === null ? "REDRIVEN" : isLast ? "QUARANTINED" : "DEAD";
    await tx.query(
      `update fileflow_dlq set state = $2, redrive_count = $3, execution_id = $4, error = $5, reasons = $6 where id = $1`,
      [
        id,
        state,
        redriveCount,
        outcome.executionId,
        outcome.error ?? letter.error,
        outcome.error === null ? letter.reasons : JSON.stringify(outcome.reasons),
      ],
    );
    await letters.trace(tx, id, { event: "REDRIVEN", ...who, executionId: outcome.executionId });
    if (outcome.error !== null)
      await letters.trace(tx, id, {
        event: isLast ? "QUARANTINED" : "DEAD_AGAIN",
        actor: "system",
        reason: outcome.error,
      });
    await recordDlq(tx, letter, "dlq.redrive", who, state);
    const done = { id, state, redriveCount, ...outcome };
    await within(tx, done);
    return { redriven: done, source: letter.source };
  });
  figures.count("redrives", redriven.error === null ? "ok" : "dead-again");
  if (redriven.created) figures.count("created");
  if (source === "SQS" && redriven.error === null) await takeCopy(context, id);
  return redriven;
}

/**
 * Removes the copy of a letter from SQS. A failure is only logged, because the decision is already committed; the next read
 * of the dead-letter queue deletes the copy.
 */
export async function takeCopy({ sqs, log }: FileflowContext, id: string): Promise<void> {
  await sqs?.takeFromDlq(id).catch((error: Error) => {
    log.warn({ err: error.name, dlqId: id }, "the copy of a dead letter could not be taken from SQS");
  });
}

async function ingestAgain({ context }: RedrivePorts, tx: StoreTx, letter: DlqRow): Promise<Outcome> {
  const { settings, pipelines } = context;
  const { tenantId, organizationId } = letter;
  const records = readMessage({ buckets: settings.buckets, pipelines }, letter.body, {
    tenantId,
    organizationId,
  });
  const reasons = records.flatMap((record) => ("reasons" in record ? record.reasons : []));
  if (reasons.length > 0) return { executionId: null, created: null, error: "PP-400-JSON", reasons };
  const events = records.flatMap((record) => ("event" in record ? [executionOf(record.event)] : []));
  const made = await createExecutions(tx, context.queue(EXECUTION_QUEUE), pipelines, events);
  const conflict = made.find((one) => "differs" in one);
  if (conflict && "differs" in conflict) {
    const reason = refusalReason("DIFFERS", { fields: conflict.differs, id: conflict.executionId });
    return { executionId: null, created: null, error: "PP-409-IDEMP", reasons: [reason] };
  }
  const [first] = made;
  return {
    executionId: first?.executionId ?? null,
    created: first && "created" in first ? first.created : false,
    error: null,
    reasons: [],
  };
}

export function mustBeDead({ state }: Pick<DlqRow, "state">, action: string): void {
  const isAllowed = state === "DEAD" || (action === "discard" && state === "QUARANTINED");
  if (!isAllowed) throw new FileflowError("PP-409-STATE", { state, action });
}

export async function recordDlq(
  tx: StoreTx,
  letter: DlqRow,
  action: "dlq.redrive" | "dlq.discard",
  { actor, reason }: Who,
  state: DlqState,
): Promise<void> {
  await tx.addAudit({
    actor,
    action,
    reason,
    target: `dlq:${letter.id}`,
    tenant: letter.tenantId,
    organization: letter.organizationId,
    before: { state: letter.state, redriveCount: Number(letter.redriveCount) },
    after: { state },
  });
}

import { idempotencyKeyOf } from "../ingest/object-event.ts";
import { readMessage } from "../ingest/read-message.ts";
import { refusalReason } from "../ingest/refusal-reasons.ts";
import type { ConsumerPorts } from "./consume.ts";
import { errorName } from "./error-name.ts";
import { pause } from "./pause.ts";
import type { FromDlq } from "./sqs-queues.ts";

/** The interval between reads of the dead-letter queue. */
export const LOOK_MS = 30_000;
/**
 * Each time this many known copies are found, the wait grows by one interval, because every read receives all of them again.
 */
const COPIES_PER_LOOK = 100;
/** While SQS does not answer, the wait doubles up to this. */
const LONGEST_WAIT_MS = 10 * 60_000;
const NOBODY = { tenantId: null, organizationId: null };

/**
 * Moves messages that SQS itself sent to the dead-letter queue into the store, so that operators see all dead letters in one
 * place. A message is deleted from SQS after the store has it. Copies that this system sent there stay as long as their
 * letters are dead.
 */
export async function importDeadLetters(
  ports: ConsumerPorts,
  lookMs: number,
  signal: AbortSignal,
): Promise<void> {
  const { context, sqs } = ports;
  let wait = lookMs;
  while (!signal.aborted) {
    try {
      const { copies } = await sqs.lookIntoDlq((messages) => settle(ports, messages), signal);
      wait = lookMs * (1 + Math.floor(copies / COPIES_PER_LOOK));
    } catch (error) {
      if (!signal.aborted)
        context.log.warn({ err: errorName(error) }, "the dead-letter queue could not be looked into");
      wait = Math.min(wait * 2, LONGEST_WAIT_MS);
    }
    await pause(wait, signal);
  }
}

/**
 * Keeps the messages that the store does not have. Returns the messages to delete: those kept now, and copies of letters that
 * are settled.
 */
async function settle(ports: ConsumerPorts, messages: readonly FromDlq[]) {
  const { letters, sqs } = ports;
  const states = await letters.statesOf(messages.flatMap(({ dlqId }) => dlqId ?? []));
  const gone: FromDlq[] = [];
  for (const message of messages) {
    const state = message.dlqId === undefined ? undefined : states.get(message.dlqId);
    if (state === "DEAD" || state === "QUARANTINED") continue;
    if (state === undefined) {
      // Another queue may have the same dead-letter queue.
      if (message.movedFrom !== undefined && message.movedFrom !== sqs.queueName) continue;
      await letters.keep(letterOf(ports, message));
    }
    gone.push(message);
  }
  return gone;
}

function letterOf({ context }: ConsumerPorts, { id, body, dlqId, error, reasons }: FromDlq) {
  const { settings, pipelines } = context;
  const records = readMessage({ buckets: settings.buckets, pipelines }, body, NOBODY);
  const bad = records.flatMap((record) => ("reasons" in record ? record.reasons : []));
  const [only] = records;
  const event = records.length === 1 && only && "event" in only ? only.event : undefined;
  return {
    error: error ?? (bad.length > 0 ? "PP-400-JSON" : "PP-500-IO"),
    // A copy that this system sent, and whose letter the store has lost, contains its own reasons.
    reasons: reasons === undefined ? [refusalReason("MOVED"), ...bad] : reasons.split("; "),
    raw: body,
    owner: event ?? NOBODY,
    source: dlqId === undefined ? ("SQS_DLQ" as const) : ("SQS" as const),
    actor: "system:sqs",
    messageId: id,
    ...(event ? { idempotencyKey: idempotencyKeyOf(event) } : {}),
  };
}

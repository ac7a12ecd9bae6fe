import type { DeadLetters } from "../dlq/dead-letters.ts";
import { markDeleted } from "../executions/mark-deleted.ts";
import type { Figures } from "../figures.ts";
import type { FileflowContext } from "../fileflow-context.ts";
import { executionOf } from "../ingest/create-executions.ts";
import type { Ingest } from "../ingest/ingest.ts";
import { type ReadRecord, readMessage } from "../ingest/read-message.ts";
import { refusalReason } from "../ingest/refusal-reasons.ts";
import { errorName } from "./error-name.ts";
import { pause } from "./pause.ts";
import { Room } from "./room.ts";
import type { Received, SqsQueues } from "./sqs-queues.ts";

export interface ConsumerPorts {
  readonly context: FileflowContext;
  readonly sqs: SqsQueues;
  readonly ingest: Ingest;
  readonly letters: DeadLetters;
  readonly figures: Figures;
  readonly waitSeconds: number;
}

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 60_000;
const NOBODY = { tenantId: null, organizationId: null };
const CONSUMER = "system:sqs";

/** Receives events from SQS until the signal aborts, and then finishes the received ones. */
export async function consume(ports: ConsumerPorts, signal: AbortSignal): Promise<void> {
  const { receivers } = ports.context.settings;
  const room = new Room(ports.context);
  await Promise.all(Array.from({ length: receivers }, () => receiveLoop(ports, room, signal)));
}

/** The batches of one receiver in progress while it receives the next. */
const MOST_UNDER_WAY = 4;

/** The wait doubles while there is no room, or while SQS or the store does not answer. */
async function receiveLoop(ports: ConsumerPorts, room: Room, signal: AbortSignal): Promise<void> {
  const { context, sqs, figures, waitSeconds } = ports;
  const visibility = Math.ceil(context.settings.visibility / 1_000);
  const underWay = new Set<Promise<void>>();
  let wait = FIRST_WAIT_MS;
  const longer = async () => {
    await pause(wait, signal);
    wait = Math.min(wait * 2, LONGEST_WAIT_MS);
  };
  const failed = (error: unknown) => {
    if (!signal.aborted) context.log.warn({ err: errorName(error) }, "events could not be taken from SQS");
  };
  while (!signal.aborted) {
    try {
      if (!(await room.isFree())) {
        figures.count("drops", "no-room");
        await longer();
        continue;
      }
      const messages = await sqs.receive(waitSeconds, visibility);
      wait = FIRST_WAIT_MS;
      if (messages.length === 0) continue;
      room.received(messages.length);
      const taken = takeMessages(ports, messages)
        .catch(failed)
        .finally(() => {
          room.settled(messages.length);
          underWay.delete(taken);
        });
      underWay.add(taken);
      if (underWay.size >= MOST_UNDER_WAY) await Promise.race(underWay);
    } catch (error) {
      failed(error);
      await longer();
    }
  }
  await Promise.all(underWay);
}

/** Deletes each message after its content is committed, and extends its visibility until then. */
async function takeMessages(ports: ConsumerPorts, messages: readonly Received[]): Promise<void> {
  const { context, sqs } = ports;
  const seconds = Math.ceil(context.settings.visibility / 1_000);
  const extending = setInterval(
    () => void sqs.hide(messages, () => seconds).catch(() => {}),
    Math.max(1_000, context.settings.visibility / 2),
  );
  try {
    const done = await Promise.all(messages.map((message) => takeMessage(ports, message)));
    const finished = messages.filter((_, at) => done[at]);
    if (finished.length > 0) await sqs.delete(finished);
    const again = messages.filter((_, at) => !done[at]);
    await sqs.hide(again, ({ receives }) => backOffSeconds(receives)).catch(() => {});
  } finally {
    clearInterval(extending);
  }
}

const backOffSeconds = (receives: number) => Math.min(2 ** Math.min(receives, 10), 300);

/** Whether the message may be deleted. */
async function takeMessage(ports: ConsumerPorts, message: Received): Promise<boolean> {
  const { context, figures } = ports;
  try {
    const { settings, pipelines } = context;
    const records = readMessage({ buckets: settings.buckets, pipelines }, message.body, NOBODY);
    const taken = await Promise.all(records.map((record) => takeRecord(ports, record)));
    const refused = taken.flatMap((one) => one ?? []);
    for (const [at, letter] of refused.entries())
      await bury(ports, message, letter, refused.length > 1 ? at : undefined);
    figures.count("consumed", "failed", refused.length);
    return true;
  } catch (error) {
    figures.count("consumed", "failed");
    context.log.warn(
      { err: errorName(error), messageId: message.id, receives: message.receives },
      "an event could not be taken",
    );
    if (message.receives < settings(ports).maxReceives) return false;
    const letter = {
      error: "PP-500-IO",
      reasons: [refusalReason("FAILED", { times: message.receives, problem: errorName(error) })],
      raw: message.body,
    };
    return bury(ports, message, { ...letter, owner: NOBODY }, undefined).then(
      () => true,
      () => false,
    );
  }
}

const settings = ({ context }: ConsumerPorts) => context.settings;

interface Refused {
  readonly error: string;
  readonly reasons: readonly string[];
  readonly raw: string;
  readonly owner: { readonly tenantId: string | null; readonly organizationId: string | null };
  readonly idempotencyKey?: string;
}

async function takeRecord(
  { context, ingest, figures }: ConsumerPorts,
  record: ReadRecord,
): Promise<Refused | undefined> {
  if ("deleted" in record) {
    await markDeleted(context.andon.store, [record.deleted]);
    figures.count("consumed", "ok");
    return undefined;
  }
  if ("reasons" in record) return { error: "PP-400-JSON", ...record };
  const execution = executionOf(record.event);
  const made = await ingest.create(execution);
  if (!("differs" in made)) {
    figures.taken(record.event, made);
    return undefined;
  }
  const { tenantId, organizationId, idempotencyKey } = execution;
  return {
    error: "PP-409-IDEMP",
    reasons: [refusalReason("DIFFERS", { fields: made.differs, id: made.executionId })],
    raw: JSON.stringify({ type: "s3.object.created", mime: execution.mimeType, ...record.event }),
    owner: { tenantId, organizationId },
    idempotencyKey,
  };
}

/** Keeps the message in the store, then sends it to the dead-letter queue. Only after both may it be deleted. */
async function bury(
  { letters, sqs }: ConsumerPorts,
  message: Received,
  refused: Refused,
  record: number | undefined,
): Promise<void> {
  const messageId = record === undefined ? message.id : `${message.id}:${record}`;
  const id = await letters.keep({ ...refused, source: "SQS", actor: CONSUMER, messageId });
  await sqs.sendToDlq(record === undefined ? message : { ...message, body: refused.raw }, { id, ...refused });
}

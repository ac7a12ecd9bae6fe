import {
  ChangeMessageVisibilityBatchCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  type Message,
  ReceiveMessageCommand,
  SendMessageCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import type { SqsSettings } from "../contract/settings.ts";
import { clientOptions } from "./client-options.ts";

/** SQS takes and gives at most so many messages at once. */
const BATCH = 10;
/** How many messages of the dead-letter queue are looked at for one of them. */
const MOST_LOOKED_AT = 1_000;
const LOOK_SECONDS = 60;
/** With less, SQS asks only some of its servers and may answer that a queue is empty which is not. */
const LOOK_WAIT_SECONDS = 1;
const LONGEST_ATTRIBUTE = 2_000;

export interface Received {
  readonly id: string;
  readonly handle: string;
  readonly body: string;
  readonly receives: number;
}

/** What the dead-letter queue holds: a copy that this system sent there, or a message that SQS moved. */
export interface FromDlq extends Received {
  /** Of a copy: the letter's id, and what was wrong with it. */
  readonly dlqId: string | undefined;
  readonly error: string | undefined;
  readonly reasons: string | undefined;
  /** The name of the queue that SQS moved it from. */
  readonly movedFrom: string | undefined;
}

/** The ingest queue and its dead-letter queue. */
export class SqsQueues {
  readonly #client: SQSClient;
  readonly #queueUrl: string;
  readonly #dlqUrl: string | undefined;
  /** One look into the dead-letter queue at a time: each hides from the others what it meets. */
  #looking: Promise<unknown> = Promise.resolve();

  constructor({ queueUrl, dlqUrl, endpoint, region }: SqsSettings & { queueUrl: string }) {
    this.#client = new SQSClient(clientOptions(endpoint, region, queueUrl));
    this.#queueUrl = queueUrl;
    this.#dlqUrl = dlqUrl;
  }

  /**
   * Waits for messages. It is not aborted at shutdown: a message that the server sends to a caller who has gone would be hidden
   * until its visibility time-out.
   */
  async receive(waitSeconds: number, visibilitySeconds: number): Promise<Received[]> {
    const { Messages: messages = [] } = await this.#client.send(
      new ReceiveMessageCommand({
        QueueUrl: this.#queueUrl,
        MaxNumberOfMessages: BATCH,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: visibilitySeconds,
        MessageSystemAttributeNames: ["ApproximateReceiveCount"],
      }),
    );
    return messages.map(receivedOf);
  }

  async delete(messages: readonly Received[]): Promise<void> {
    await deleteFrom(this.#client, this.#queueUrl, messages);
  }

  /** Hides each message for so long from now on; 0 shows it again. */
  async hide(messages: readonly Received[], seconds: (message: Received) => number): Promise<void> {
    await hideIn(this.#client, this.#queueUrl, messages, seconds);
  }

  /** Sends a copy of a dead letter to the dead-letter queue, where there is one. */
  async sendToDlq(
    message: Received,
    { id, error, reasons }: { id: string; error: string; reasons: readonly string[] },
  ): Promise<void> {
    if (this.#dlqUrl === undefined) return;
    const text = (value: string) => ({ DataType: "String", StringValue: value });
    const isFifo = this.#dlqUrl.endsWith(".fifo");
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: this.#dlqUrl,
        MessageBody: message.body,
        MessageAttributes: {
          dlqId: text(id),
          error: text(error),
          reasons: text(attributeText(reasons.join("; ") || error)),
        },
        // A group of its own: while one message of a group is hidden, SQS gives no other of it.
        ...(isFifo ? { MessageGroupId: id, MessageDeduplicationId: id } : {}),
      }),
    );
  }

  /** The name of the ingest queue. */
  get queueName(): string {
    return this.#queueUrl.split("/").at(-1) ?? "";
  }

  get hasDlq(): boolean {
    return this.#dlqUrl !== undefined;
  }

  /** Takes the copy of a dead letter from the dead-letter queue. */
  async takeFromDlq(id: string): Promise<boolean> {
    let isTaken = false;
    await this.lookIntoDlq(
      async (messages) => {
        const gone = messages.filter(({ dlqId }) => dlqId === id);
        isTaken ||= gone.length > 0;
        return gone;
      },
      AbortSignal.timeout(LOOK_SECONDS * 500),
      () => isTaken,
    );
    return isTaken;
  }

  /** Shows what the dead-letter queue holds, and deletes what may go; the rest is visible again afterwards. */
  async lookIntoDlq(
    settle: (messages: readonly FromDlq[]) => Promise<readonly FromDlq[]>,
    signal: AbortSignal,
    isEnough: () => boolean = () => false,
  ): Promise<{ copies: number }> {
    const url = this.#dlqUrl;
    if (url === undefined) return { copies: 0 };
    const look = async () => {
      const others: FromDlq[] = [];
      let met = 0;
      try {
        while (met < MOST_LOOKED_AT && !isEnough() && !signal.aborted) {
          const messages = await this.#receiveFromDlq(url);
          if (messages.length === 0) break;
          met += messages.length;
          const gone = await settle(messages).catch((error) => {
            others.push(...messages);
            throw error;
          });
          others.push(...messages.filter((message) => !gone.includes(message)));
          await deleteFrom(this.#client, url, gone);
        }
      } finally {
        await hideIn(this.#client, url, others, () => 0);
      }
      return { copies: others.length };
    };
    const looked = this.#looking.then(look, look);
    this.#looking = looked.catch(() => {});
    return looked;
  }

  async #receiveFromDlq(url: string): Promise<FromDlq[]> {
    const { Messages: messages = [] } = await this.#client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: BATCH,
        WaitTimeSeconds: LOOK_WAIT_SECONDS,
        VisibilityTimeout: LOOK_SECONDS,
        MessageAttributeNames: ["dlqId", "error", "reasons"],
        MessageSystemAttributeNames: ["ApproximateReceiveCount", "DeadLetterQueueSourceArn"],
      }),
    );
    return messages.map((message) => {
      const { dlqId, error, reasons } = message.MessageAttributes ?? {};
      return {
        ...receivedOf(message),
        dlqId: dlqId?.StringValue,
        error: error?.StringValue,
        reasons: reasons?.StringValue,
        movedFrom: message.Attributes?.DeadLetterQueueSourceArn?.split(":").at(-1),
      };
    });
  }

  /** Throws where the queue does not answer. */
  async ping(): Promise<{ waiting: number }> {
    const { Attributes: attributes } = await this.#client.send(
      new GetQueueAttributesCommand({
        QueueUrl: this.#queueUrl,
        AttributeNames: ["ApproximateNumberOfMessages"],
      }),
    );
    return { waiting: Number(attributes?.ApproximateNumberOfMessages ?? 0) };
  }

  close(): void {
    this.#client.destroy();
  }
}

function receivedOf({ MessageId, ReceiptHandle, Body, Attributes }: Message): Received {
  return {
    id: MessageId ?? "",
    handle: ReceiptHandle ?? "",
    body: Body ?? "",
    receives: Number(Attributes?.ApproximateReceiveCount ?? 1),
  };
}

async function deleteFrom(client: SQSClient, url: string, messages: readonly Received[]): Promise<void> {
  for (const batch of batches(messages)) {
    const entries = batch.map(({ Id, ReceiptHandle }) => ({ Id, ReceiptHandle }));
    const { Failed: failed = [] } = await client.send(
      new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entries }),
    );
    // It comes again, and is known then.
    if (failed.length > 0)
      throw new Error(`SQS did not delete ${failed.length} messages: ${failed[0]?.Code}`);
  }
}

async function hideIn(
  client: SQSClient,
  url: string,
  messages: readonly Received[],
  seconds: (message: Received) => number,
): Promise<void> {
  for (const entries of batches(messages))
    await client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: url,
        Entries: entries.map(({ message, ...entry }) => ({ ...entry, VisibilityTimeout: seconds(message) })),
      }),
    );
}

function* batches(
  messages: readonly Received[],
): Iterable<{ Id: string; ReceiptHandle: string; message: Received }[]> {
  for (let at = 0; at < messages.length; at += BATCH)
    yield messages
      .slice(at, at + BATCH)
      .map((message, index) => ({ Id: String(index), ReceiptHandle: message.handle, message }));
}

/** SQS takes no control characters in attributes. */
function attributeText(text: string): string {
  return text
    .slice(0, LONGEST_ATTRIBUTE)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "\ufffd");
}

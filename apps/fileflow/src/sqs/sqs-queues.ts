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
const LOOK_SECONDS = 10;
const LONGEST_ATTRIBUTE = 2_000;

export interface Received {
  readonly id: string;
  readonly handle: string;
  readonly body: string;
  readonly receives: number;
}

/** The ingest queue and its dead-letter queue. */
export class SqsQueues {
  readonly #client: SQSClient;
  readonly #queueUrl: string;
  readonly #dlqUrl: string | undefined;

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

  /** Hides messages for so long from now on; 0 shows them again. */
  async hide(messages: readonly Received[], seconds: number): Promise<void> {
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
        ...(isFifo ? { MessageGroupId: "dead-letters", MessageDeduplicationId: id } : {}),
      }),
    );
  }

  /** Takes the copy of a dead letter from the dead-letter queue; what else is met there is shown again at once. */
  async takeFromDlq(id: string): Promise<boolean> {
    const url = this.#dlqUrl;
    if (url === undefined) return false;
    const others: Received[] = [];
    try {
      while (others.length < MOST_LOOKED_AT) {
        const { Messages: messages = [] } = await this.#client.send(
          new ReceiveMessageCommand({
            QueueUrl: url,
            MaxNumberOfMessages: BATCH,
            VisibilityTimeout: LOOK_SECONDS,
            MessageAttributeNames: ["dlqId"],
          }),
        );
        if (messages.length === 0) return false;
        const own = messages.filter(({ MessageAttributes: named }) => named?.dlqId?.StringValue === id);
        others.push(...messages.filter((message) => !own.includes(message)).map(receivedOf));
        if (own.length > 0) {
          await deleteFrom(this.#client, url, own.map(receivedOf));
          return true;
        }
      }
      return false;
    } finally {
      await hideIn(this.#client, url, others, 0);
    }
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
  for (const entries of batches(messages)) {
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
  seconds: number,
): Promise<void> {
  for (const entries of batches(messages))
    await client.send(
      new ChangeMessageVisibilityBatchCommand({
        QueueUrl: url,
        Entries: entries.map((entry) => ({ ...entry, VisibilityTimeout: seconds })),
      }),
    );
}

function* batches(messages: readonly Received[]): Iterable<{ Id: string; ReceiptHandle: string }[]> {
  for (let at = 0; at < messages.length; at += BATCH)
    yield messages
      .slice(at, at + BATCH)
      .map(({ handle }, index) => ({ Id: String(index), ReceiptHandle: handle }));
}

/** SQS takes no control characters in attributes. */
function attributeText(text: string): string {
  return text
    .slice(0, LONGEST_ATTRIBUTE)
    .toWellFormed()
    .replace(/[^\P{Cc}\t\n\r]|[\ufffe\uffff]/gu, "\ufffd");
}

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

/** The most messages that one call of SQS accepts or returns. */
const BATCH = 10;

/** SDK middleware that is not needed here and costs a tenth of a call. */
const NEEDLESS = ["loggerMiddleware", "getUserAgentMiddleware", "recursionDetectionMiddleware"];

export interface Received {
  readonly id: string;
  readonly handle: string;
  readonly body: string;
  readonly receives: number;
}

/** A message of the dead-letter queue: a copy that this system sent, or a message that SQS moved. */
export interface FromDlq extends Received {
  /** For a copy: the id of its letter and what was wrong with it. */
  readonly dlqId: string | undefined;
  readonly error: string | undefined;
  readonly reasons: string | undefined;
  /** The name of the queue from which SQS moved the message. */
  readonly movedFrom: string | undefined;
}

/** How long a message stays hidden from now; 0 seconds make it visible. */
export interface Hidden {
  readonly handle: string;
  readonly seconds: number;
}

/** The SQS calls of this app. Arguments and results are plain data, because they are passed between threads. */
export class SqsCalls {
  readonly #client: SQSClient;

  constructor({ endpoint, region, queueUrl }: Pick<SqsSettings, "endpoint" | "region" | "queueUrl">) {
    // Without MD5 checks, because TLS already guarantees integrity.
    this.#client = new SQSClient({ ...clientOptions(endpoint, region, queueUrl), md5: false });
    for (const name of NEEDLESS) this.#client.middlewareStack.remove(name);
  }

  async receive(url: string, waitSeconds: number, visibilitySeconds: number): Promise<Received[]> {
    const { Messages: messages = [] } = await this.#client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: BATCH,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: visibilitySeconds,
        MessageSystemAttributeNames: ["ApproximateReceiveCount"],
      }),
    );
    return messages.map(receivedOf);
  }

  async receiveFromDlq(url: string, waitSeconds: number, visibilitySeconds: number): Promise<FromDlq[]> {
    const { Messages: messages = [] } = await this.#client.send(
      new ReceiveMessageCommand({
        QueueUrl: url,
        MaxNumberOfMessages: BATCH,
        WaitTimeSeconds: waitSeconds,
        VisibilityTimeout: visibilitySeconds,
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

  async delete(url: string, handles: readonly string[]): Promise<void> {
    for (const batch of batches(handles)) {
      const entries = batch.map((handle, at) => ({ Id: String(at), ReceiptHandle: handle }));
      const { Failed: failed = [] } = await this.#client.send(
        new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entries }),
      );
      // An undeleted message is received again and recognized then.
      if (failed.length > 0)
        throw new Error(`SQS did not delete ${failed.length} messages: ${failed[0]?.Code}`);
    }
  }

  async hide(url: string, hidden: readonly Hidden[]): Promise<void> {
    for (const batch of batches(hidden)) {
      const entries = batch.map(({ handle, seconds }, at) => ({
        Id: String(at),
        ReceiptHandle: handle,
        VisibilityTimeout: seconds,
      }));
      await this.#client.send(new ChangeMessageVisibilityBatchCommand({ QueueUrl: url, Entries: entries }));
    }
  }

  /** `group`: for a FIFO queue. */
  async send(url: string, body: string, attributes: Readonly<Record<string, string>>, group?: string) {
    const texts = Object.entries(attributes).map(([name, value]) => [
      name,
      { DataType: "String", StringValue: value },
    ]);
    await this.#client.send(
      new SendMessageCommand({
        QueueUrl: url,
        MessageBody: body,
        MessageAttributes: Object.fromEntries(texts),
        ...(group === undefined ? {} : { MessageGroupId: group, MessageDeduplicationId: group }),
      }),
    );
  }

  async countWaiting(url: string): Promise<number> {
    const { Attributes: attributes } = await this.#client.send(
      new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: ["ApproximateNumberOfMessages"] }),
    );
    return Number(attributes?.ApproximateNumberOfMessages ?? 0);
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

function* batches<Item>(items: readonly Item[]): Iterable<readonly Item[]> {
  for (let at = 0; at < items.length; at += BATCH) yield items.slice(at, at + BATCH);
}

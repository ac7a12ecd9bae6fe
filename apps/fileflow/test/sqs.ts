import {
  CreateQueueCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { startFauxqs } from "fauxqs";

process.env.AWS_ACCESS_KEY_ID ??= "test";
process.env.AWS_SECRET_ACCESS_KEY ??= "test";

/** A local SQS server with an ingest queue and a dead-letter queue. */
export class SqsServer {
  readonly endpoint: string;
  readonly queueUrl: string;
  readonly dlqUrl: string;
  readonly client: SQSClient;
  readonly #stop: () => Promise<void>;

  private constructor(
    endpoint: string,
    urls: [string, string],
    client: SQSClient,
    stop: () => Promise<void>,
  ) {
    this.endpoint = endpoint;
    [this.queueUrl, this.dlqUrl] = urls;
    this.client = client;
    this.#stop = stop;
  }

  static async start(): Promise<SqsServer> {
    const server = await startFauxqs({ port: 0, host: "127.0.0.1", logger: false });
    const endpoint = `http://127.0.0.1:${server.port}`;
    const client = new SQSClient({ endpoint, region: "us-east-1" });
    const urls: [string, string] = [await made(client, "ingest"), await made(client, "ingest-dlq")];
    return new SqsServer(endpoint, urls, client, () => server.stop());
  }

  get settings() {
    const { queueUrl, dlqUrl, endpoint } = this;
    return { sqs: { queueUrl, dlqUrl, endpoint, region: "us-east-1" } };
  }

  /** Another queue, whose messages SQS moves to a dead-letter queue by this policy. */
  makeQueue(name: string, policy: { deadLetterTargetArn: string; maxReceiveCount: number }): Promise<string> {
    return made(this.client, name, { RedrivePolicy: JSON.stringify(policy) });
  }

  async arnOf(queueUrl: string): Promise<string> {
    const { Attributes: found = {} } = await this.client.send(
      new GetQueueAttributesCommand({ QueueUrl: queueUrl, AttributeNames: ["QueueArn"] }),
    );
    return found.QueueArn as string;
  }

  async send(bodies: readonly unknown[], queueUrl = this.queueUrl): Promise<void> {
    for (let at = 0; at < bodies.length; at += 10) {
      const Entries = bodies.slice(at, at + 10).map((body, index) => ({
        Id: String(index),
        MessageBody: typeof body === "string" ? body : JSON.stringify(body),
      }));
      await this.client.send(new SendMessageBatchCommand({ QueueUrl: queueUrl, Entries }));
    }
  }

  /** The number of messages in a queue, including hidden ones. */
  async count(queueUrl = this.queueUrl): Promise<number> {
    const { Attributes: found = {} } = await this.client.send(
      new GetQueueAttributesCommand({
        QueueUrl: queueUrl,
        AttributeNames: ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"],
      }),
    );
    return Number(found.ApproximateNumberOfMessages) + Number(found.ApproximateNumberOfMessagesNotVisible);
  }

  async receive(queueUrl: string, VisibilityTimeout = 0) {
    const { Messages = [] } = await this.client.send(
      new ReceiveMessageCommand({
        QueueUrl: queueUrl,
        MaxNumberOfMessages: 10,
        VisibilityTimeout,
        MessageAttributeNames: ["All"],
      }),
    );
    return Messages;
  }

  async stop(): Promise<void> {
    this.client.destroy();
    await this.#stop();
  }
}

async function made(
  client: SQSClient,
  name: string,
  Attributes: Partial<Record<"RedrivePolicy", string>> = {},
): Promise<string> {
  return (await client.send(new CreateQueueCommand({ QueueName: name, Attributes }))).QueueUrl as string;
}

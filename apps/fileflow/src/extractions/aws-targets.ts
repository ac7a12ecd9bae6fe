import { PublishCommand, SNSClient } from "@aws-sdk/client-sns";
import { SendMessageCommand, SQSClient } from "@aws-sdk/client-sqs";
import type { PublishTarget, SqsSettings } from "../contract/settings.ts";
import { clientOptions } from "../sqs/client-options.ts";

type Target<Type> = Extract<PublishTarget, { type: Type }>;
type Attributes = Readonly<Record<string, string>>;

const sqsClients = new Map<string, SQSClient>();
const snsClients = new Map<string, SNSClient>();

/** Clients are never closed, because there are only as many as targets. */
function known<Client>(clients: Map<string, Client>, name: string, make: () => Client): Client {
  const client = clients.get(name) ?? make();
  clients.set(name, client);
  return client;
}

const attributesOf = (attributes: Attributes) =>
  Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, { DataType: "String", StringValue: value }]),
  );

export async function sendToSqs(
  { region }: SqsSettings,
  { queueUrl, endpoint }: Target<"sqs">,
  body: string,
  attributes: Attributes,
  signal: AbortSignal,
): Promise<void> {
  const client = known(
    sqsClients,
    `${endpoint} ${region}`,
    () => new SQSClient(clientOptions(endpoint, region, queueUrl)),
  );
  const isFifo = queueUrl.endsWith(".fifo");
  await client.send(
    new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody: body,
      MessageAttributes: attributesOf(attributes),
      ...(isFifo
        ? { MessageGroupId: "extractions", MessageDeduplicationId: attributes.idempotencyKey?.slice(0, 128) }
        : {}),
    }),
    { abortSignal: signal },
  );
}

export async function sendToSns(
  { region }: SqsSettings,
  { topicArn, endpoint }: Target<"sns">,
  body: string,
  attributes: Attributes,
  signal: AbortSignal,
): Promise<void> {
  const own = topicArn.split(":")[3] || region;
  const client = known(
    snsClients,
    `${endpoint} ${own}`,
    () => new SNSClient(clientOptions(endpoint, own, undefined)),
  );
  await client.send(
    new PublishCommand({ TopicArn: topicArn, Message: body, MessageAttributes: attributesOf(attributes) }),
    { abortSignal: signal },
  );
}

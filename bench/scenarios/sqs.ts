import { dirname, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import {
  CreateQueueCommand,
  DeleteMessageBatchCommand,
  GetQueueAttributesCommand,
  ReceiveMessageCommand,
  SendMessageBatchCommand,
  SQSClient,
} from "@aws-sdk/client-sqs";
import { atLeast, type Outcome, type Round, type Scenario } from "../scenario.ts";
import { type AndonServer, startAndon } from "../servers/andon.ts";
import { freePort } from "../servers/free-port.ts";
import { startNode } from "../servers/program.ts";
import { storeUrl } from "../store-url.ts";

const RECEIVERS = 4;
const BATCH = 10;
const LOOK_MS = 20;
/** A poll calls SQS, as the server under test does. The more messages are left, the later the next poll. */
const LONGEST_LOOK_MS = 250;
const LEFT_PER_MS = 20;
const CREDENTIALS = { accessKeyId: "bench", secretAccessKey: "bench" };
const CLI = join(dirname(fileURLToPath(import.meta.resolve("fauxqs"))), "cli.js");

export default {
  name: "sqs",
  title: "Events from SQS to created executions",
  measures:
    "Events per second from an SQS queue to executions that are committed and messages that are deleted, as a share of a plain loop that receives and deletes the same number of messages from the same server with as many receivers (4, batches of 10), in the same round. The executions only wait: their queue is paused.",
  mode: "server",
  full: { events: 10_000 },
  quick: { events: 5_000 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 600,
  main: { figure: "share", unit: "× the plain loop", better: "higher" },
  also: [
    { figure: "perSecond", unit: "events/s" },
    { figure: "plainPerSecond", unit: "plain messages/s" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "≥ 0.5 × the plain loop",
    reached: (ours: (figure?: string) => number | undefined) => atLeast(ours(), 0.5),
  })),
  run: measure,
} satisfies Scenario;

async function measure({ kind, place, size }: Round): Promise<Outcome> {
  const { events = 0 } = size;
  const port = await freePort();
  const sqs = startNode(CLI, [], {
    log: join(place.folder, "sqs.log"),
    env: { FAUXQS_PORT: String(port), FAUXQS_HOST: "localhost", FAUXQS_LOGGER: "false" },
  });
  const endpoint = `http://127.0.0.1:${port}`;
  const client = new SQSClient({
    endpoint,
    region: "us-east-1",
    credentials: CREDENTIALS,
    useQueueUrlAsEndpoint: false,
  });
  let server: AndonServer | undefined;
  try {
    const plainUrl = await createQueue(client, "plain");
    const queueUrl = await createQueue(client, "ingest");
    await fill(client, plainUrl, events);
    const plainSeconds = await timed(() => drain(client, plainUrl, events));
    await fill(client, queueUrl, events);
    const config = {
      log: { level: "warn" },
      sqs: { queueUrl, endpoint, region: "us-east-1" },
      fileflow: { receivers: RECEIVERS, maxPending: events * 2 },
    };
    process.env.AWS_ACCESS_KEY_ID ??= CREDENTIALS.accessKeyId;
    process.env.AWS_SECRET_ACCESS_KEY ??= CREDENTIALS.secretAccessKey;
    const order = { folder: place.folder, storeUrl: storeUrl(kind.store, place) };
    await pauseExecutions(order);
    server = await startAndon({ ...order, config });
    // The server receives messages before it prints its address; those do not count.
    const before = events - (await left(client, queueUrl));
    const seconds = await timed(() => untilEmpty(() => left(client, queueUrl)));
    const total = await executions(server);
    return {
      figures: {
        share: (events - before) / seconds / (events / plainSeconds),
        perSecond: (events - before) / seconds,
        plainPerSecond: events / plainSeconds,
      },
      problems: total === Math.min(events, 10_000) ? [] : [`${total} executions of ${events} events`],
      settings: { receivers: RECEIVERS, batch: BATCH },
    };
  } finally {
    await server?.stop();
    client.destroy();
    await sqs.stop();
  }
}

/** A pause outlives the process, so the executions only wait and only their creation is measured. */
async function pauseExecutions(order: { folder: string; storeUrl: string }): Promise<void> {
  const server = await startAndon({ ...order, config: { log: { level: "warn" } } });
  const response = await fetch(`${server.url}/admin/queues/fileflow/pause`, {
    method: "POST",
    headers: { authorization: `Bearer ${server.token}`, "content-type": "application/json" },
    body: JSON.stringify({ reason: "benchmark" }),
  });
  await server.stop();
  if (!response.ok) throw new Error(`the queue was not paused: ${response.status}`);
}

/** Retries, because the SQS server may still be starting. */
async function createQueue(client: SQSClient, name: string): Promise<string> {
  for (let tries = 0; ; tries++) {
    try {
      return (await client.send(new CreateQueueCommand({ QueueName: name }))).QueueUrl as string;
    } catch (error) {
      if (tries > 100) throw error;
      await sleep(LOOK_MS);
    }
  }
}

async function fill(client: SQSClient, url: string, events: number): Promise<void> {
  const body = (at: number) =>
    JSON.stringify({
      type: "s3.object.created",
      bucket: "b",
      key: `k${at}`,
      size: 1,
      mime: "text/plain",
      tenantId: "t",
      organizationId: 1,
    });
  for (let at = 0; at < events; at += BATCH) {
    const entries = Array.from({ length: BATCH }, (_, index) => ({
      Id: String(index),
      MessageBody: body(at + index),
    }));
    await client.send(new SendMessageBatchCommand({ QueueUrl: url, Entries: entries }));
  }
}

async function drain(client: SQSClient, url: string, events: number): Promise<void> {
  let done = 0;
  await Promise.all(
    Array.from({ length: RECEIVERS }, async () => {
      while (done < events) {
        const { Messages: messages = [] } = await client.send(
          new ReceiveMessageCommand({ QueueUrl: url, MaxNumberOfMessages: BATCH }),
        );
        if (messages.length === 0) continue;
        const entries = messages.map(({ ReceiptHandle }, index) => ({
          Id: String(index),
          ReceiptHandle: ReceiptHandle ?? "",
        }));
        await client.send(new DeleteMessageBatchCommand({ QueueUrl: url, Entries: entries }));
        done += messages.length;
      }
    }),
  );
}

/** Messages that are not deleted yet. */
async function left(client: SQSClient, url: string): Promise<number> {
  const names = ["ApproximateNumberOfMessages", "ApproximateNumberOfMessagesNotVisible"] as const;
  const { Attributes: found = {} } = await client.send(
    new GetQueueAttributesCommand({ QueueUrl: url, AttributeNames: [...names] }),
  );
  return names.reduce((sum, name) => sum + Number(found[name] ?? 0), 0);
}

async function executions({ url, token }: AndonServer): Promise<number> {
  const response = await fetch(`${url}/pipelines/executions?limit=1`, {
    headers: { authorization: `Bearer ${token}` },
  });
  return ((await response.json()) as { total: number }).total;
}

async function untilEmpty(count: () => Promise<number>): Promise<void> {
  for (let rest = await count(); rest > 0; rest = await count())
    await sleep(Math.min(LONGEST_LOOK_MS, Math.max(LOOK_MS, rest / LEFT_PER_MS)));
}

async function timed(work: () => Promise<void>): Promise<number> {
  const before = performance.now();
  await work();
  return (performance.now() - before) / 1_000;
}

import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { CreateTopicCommand, SNSClient, SubscribeCommand } from "@aws-sdk/client-sns";
import { CreateQueueCommand } from "@aws-sdk/client-sqs";
import { afterEach, beforeEach, expect } from "vitest";
import { describeFileflow, until } from "./harness.ts";
import { stagesOf } from "./programs.ts";
import { SqsServer } from "./sqs.ts";

let aws: SqsServer;
let topicArn: string;
let outUrl: string;
let topicUrl: string;
const posted: { body: string; key: string | undefined; signature: string | undefined }[] = [];
const hook = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => {
    body += chunk;
  });
  request.on("end", () => {
    posted.push({
      body,
      key: request.headers["idempotency-key"] as string | undefined,
      signature: request.headers["x-andon-signature"] as string | undefined,
    });
    // The first delivery arrives but is answered with 500, so it is repeated.
    response.statusCode = posted.length === 1 ? 500 : 204;
    response.end();
  });
});

beforeEach(async () => {
  posted.length = 0;
  aws = await SqsServer.start();
  const sns = new SNSClient({ endpoint: aws.endpoint, region: "us-east-1" });
  const make = async (name: string) =>
    (await aws.client.send(new CreateQueueCommand({ QueueName: name }))).QueueUrl as string;
  [outUrl, topicUrl] = [await make("out"), await make("of-topic")];
  topicArn = (await sns.send(new CreateTopicCommand({ Name: "extractions" }))).TopicArn as string;
  await sns.send(
    new SubscribeCommand({
      TopicArn: topicArn,
      Protocol: "sqs",
      Endpoint: "arn:aws:sqs:us-east-1:000000000000:of-topic",
    }),
  );
  await new Promise<void>((resolve) => hook.listen(0, "127.0.0.1", resolve));
});
afterEach(async () => {
  await new Promise((resolve) => hook.close(resolve));
  await aws.stop();
});

const extracting = {
  run: async () => ({
    facts: {},
    extracted: [{ type: "TEXT", method: "test", confidence: 1, ref: null, mimeType: null, facts: {} }],
  }),
};

describeFileflow("extraction events", (it) => {
  it(
    "go to SQS, SNS and a webhook at least once, with their idempotency key",
    () => ({
      app: { programs: { extracting } },
      settings: {
        fileflow: {
          pipelines: [{ code: "default", stages: stagesOf("extracting", "publish") }],
          publish: [
            { type: "sqs", queueUrl: outUrl, endpoint: aws.endpoint },
            { type: "sns", topicArn, endpoint: aws.endpoint },
            {
              type: "webhook",
              url: `http://127.0.0.1:${(hook.address() as AddressInfo).port}/`,
              secret: "s",
              allowPrivateTargets: true,
            },
          ],
        },
      } as never,
    }),
    async (server) => {
      const id = await server.execute({ traceId: "trace-3" });
      const key = `${id}#extracting#TEXT`;
      const expected = {
        executionId: id,
        extractionType: "TEXT",
        method: "test",
        confidence: 1,
        traceId: "trace-3",
        idempotencyKey: key,
      };
      await until(async () => posted.length >= 2);
      expect(JSON.parse(posted[1]?.body ?? "{}")).toMatchObject(expected);
      expect(posted.map((one) => one.key)).toEqual([key, key]);
      expect(posted[0]?.signature).toMatch(/^sha256=/);
      await until(async () => (await aws.count(outUrl)) === 1 && (await aws.count(topicUrl)) === 1);
      const [message] = await aws.receive(outUrl);
      expect(JSON.parse(message?.Body ?? "{}")).toMatchObject(expected);
      expect(message?.MessageAttributes?.idempotencyKey?.StringValue).toBe(key);
    },
    60_000,
  );
});

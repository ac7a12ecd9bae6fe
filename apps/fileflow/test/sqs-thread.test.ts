import type { Worker } from "node:worker_threads";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { SqsQueues } from "../src/sqs/sqs-queues.ts";
import { describeFileflow, ownEvent, until } from "./harness.ts";
import { noop, stagesOf } from "./programs.ts";
import { SqsServer } from "./sqs.ts";

let sqs: SqsServer;
/** The threads that this process has started since the test began. */
let threads: Worker[];
const started = (worker: Worker) => void threads.push(worker);
beforeEach(async () => {
  threads = [];
  process.on("worker", started);
  sqs = await SqsServer.start();
});
afterEach(async () => {
  process.off("worker", started);
  await sqs.stop();
});

const endAll = () => Promise.all(threads.splice(0).map((thread) => thread.terminate()));

describe("the thread that calls SQS", () => {
  const queues = (log: (message: string) => void, endpoint = sqs.endpoint) =>
    new SqsQueues({ ...sqs.settings.sqs, endpoint }, {
      warn: (_: unknown, message: string) => log(message),
    } as never);

  it("is replaced after it dies: waiting calls are rejected, a line is logged, the next call is answered", async () => {
    const lines: string[] = [];
    const both = queues((line) => lines.push(line));
    await sqs.send([ownEvent()]);
    expect(await both.receive(0, 30)).toHaveLength(1);
    const refused = expect(both.receive(20, 30)).rejects.toThrow("has ended");
    await endAll();
    await refused;
    expect(lines).toEqual([expect.stringContaining("the thread that calls SQS has ended")]);
    expect(await both.ping()).toEqual({ waiting: 0 });
    await both.close();
    expect(lines).toHaveLength(1);
  });

  it("passes errors on with their name and code", async () => {
    const nobody = queues(() => {}, "http://127.0.0.1:9");
    await expect(nobody.ping()).rejects.toMatchObject({ code: "ECONNREFUSED" });
    await nobody.close();
    const none = new SqsQueues({ ...sqs.settings.sqs, queueUrl: `${sqs.queueUrl}-none` }, {
      warn: () => {},
    } as never);
    await expect(none.ping()).rejects.toMatchObject({ name: expect.stringContaining("QueueDoesNotExist") });
    await none.close();
  });

  it("rejects waiting calls when it is closed", async () => {
    const both = queues(() => {});
    const refused = expect(both.receive(20, 30)).rejects.toThrow("closed");
    await both.close();
    await refused;
    await expect(both.ping()).rejects.toThrow("closed");
  });
});

describeFileflow("a consumer whose thread dies", (it) => {
  it(
    "loses and doubles nothing",
    () => ({
      app: { programs: { noop }, waitSeconds: 1 },
      settings: {
        ...sqs.settings,
        fileflow: { pipelines: [{ code: "default", stages: stagesOf("noop") }], visibility: 5_000 },
      } as never,
    }),
    async (server) => {
      const total = async () => (await server.done("GET", "/pipelines/executions")).total;
      await sqs.send(Array.from({ length: 100 }, () => ownEvent()));
      await until(async () => (await total()) > 0);
      await endAll();
      await until(async () => (await sqs.count()) === 0);
      expect(await total()).toBe(100);
      expect((await server.done("GET", "/dlq")).total).toBe(0);
    },
    60_000,
  );
});

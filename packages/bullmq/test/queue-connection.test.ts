import { QueueConnection } from "@andon/bullmq";
import { until } from "@andon/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startQueues } from "./queue-under-test.ts";

let queues: Awaited<ReturnType<typeof startQueues>>;

beforeAll(async () => {
  queues = await startQueues();
});
afterAll(() => queues.stop());

const UNAVAILABLE = { code: "BULLMQ_UNAVAILABLE", status: 503 };

test("calls end with BULLMQ_UNAVAILABLE while Redis is silent or gone, and work again afterwards", async () => {
  const connection = new QueueConnection("nas-sync", { url: queues.redis.url, timeout: 300 });
  const status = () => connection.use((operations) => operations.status());
  const works = () => until(() => status().catch(() => undefined));
  expect(await works()).toMatchObject({ isPaused: false });
  queues.redis.freeze();
  await expect(status()).rejects.toMatchObject(UNAVAILABLE);
  await expect(connection.useLong((operations) => operations.retryAll())).rejects.toMatchObject(UNAVAILABLE);
  const skipping = connection.useLong((operations) => operations.skipAllAndResume("done", "kim"));
  await expect(skipping).rejects.toMatchObject(UNAVAILABLE);
  queues.redis.thaw();
  await works();
  await queues.redis.kill();
  for (let n = 0; n < 3; n++) await expect(status()).rejects.toMatchObject(UNAVAILABLE);
  await queues.redis.restart();
  await works();
  await connection.close();
});

test("a connection that starts before its Redis works once Redis is up", async () => {
  await queues.redis.kill();
  const connection = new QueueConnection("nas-sync", { url: queues.redis.url, timeout: 200, prefix: "team" });
  await expect(connection.use((operations) => operations.status())).rejects.toMatchObject(UNAVAILABLE);
  await queues.redis.restart();
  await until(() =>
    connection.use((operations) => operations.pause("maintenance", "kim")).catch(() => undefined),
  );
  // Only the pause is written, none of the queue's settings.
  expect(await queues.connection.hgetall("team:nas-sync:meta")).toEqual({ paused: "1" });
  await connection.close();
});

test("an error of an operation is not reported as BULLMQ_UNAVAILABLE", async () => {
  const connection = new QueueConnection("nas-sync", { url: queues.redis.url, timeout: 5_000 });
  await expect(connection.use((operations) => operations.retry("none"))).rejects.toMatchObject({
    code: "JOB_NOT_FOUND",
  });
  await connection.close();
});

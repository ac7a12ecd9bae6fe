import { settingsOf } from "@andon/server";
import { expect, test } from "vitest";
import { TestServer } from "../harness.ts";

const refused = (bullmq: object, rest: object = {}) => {
  try {
    settingsOf({ bullmq, ...rest } as never);
    return "nothing";
  } catch (error) {
    return (error as Error).message;
  }
};

test("a BullMQ queue needs a Redis address, its own or the common one", () => {
  const queues = { mails: {}, orders: { redisUrl: "redis://127.0.0.1:1/2", prefix: "{team}" } };
  expect(refused({ queues })).toContain("bullmq.queues.mails.redisUrl");
  expect(refused({ queues })).not.toContain("orders");
  expect(refused({ queues }, { redisUrl: "redis://127.0.0.1:1" })).toBe("nothing");
});

test("queue names and keys that BullMQ does not accept are refused at the start", () => {
  expect(refused({ queues: { "a:b": { redisUrl: "redis://127.0.0.1:1" } } })).toContain("without a colon");
  expect(refused({ queues: { a: { redisUrl: "http://127.0.0.1:1" } } })).toContain("redis://");
  expect(refused({ queues: { a: { redisURL: "redis://127.0.0.1:1" } } })).toContain("redisUrl");
});

test("a BullMQ queue cannot have the name of an Andon queue", async () => {
  const starting = TestServer.start("sqlite", {
    redisUrl: "redis://127.0.0.1:1",
    bullmq: { queues: { "nas-sync": {} } },
  });
  await expect(starting).rejects.toThrow("bullmq.queues.nas-sync");
});

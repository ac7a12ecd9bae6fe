import { guard } from "@andon/bullmq";
import { startRedis } from "@andon/testkit";
import { Queue, Worker } from "bullmq";
import { expect, test } from "vitest";
import { andon, startTestServer, until } from "./harness.ts";

test("a stopped queue of BullMQ is found, decided about and resumed by the command", async () => {
  const redis = await startRedis();
  const connection = { url: redis.url };
  const queue = new Queue("mails", { connection });
  const worker = new Worker(
    "mails",
    async (job) => {
      if (job.data.fail) throw new Error("ECONNREFUSED: the mail server");
    },
    { connection, drainDelay: 1, concurrency: 2 },
  );
  queue.on("error", () => {});
  worker.on("error", () => {});
  guard(worker, { reason: "MAIL_FAILED" });
  const server = await startTestServer("sqlite", {
    redisUrl: redis.url,
    bullmq: { queues: { mails: {} } },
  });
  const env = { ...server.env, LANG: "en_US.UTF-8" };
  const type = (...args: string[]) => andon(args, { env });
  const isPaused = async () => (await server.client.queues.status({ queue: "mails" })).isPaused;
  try {
    await queue.add("send", { fail: true }, { jobId: "bad" });
    await until(isPaused);
    const stopped = await type("status", "mails", "--exit-code");
    expect(stopped.code).toBe(10);
    expect(stopped.stdout).toMatch(/Stop reason +MAIL_FAILED/);
    expect(stopped.stdout).toMatch(/Failed job +bad/);
    expect((await type("failed", "mails")).stdout).toContain("ECONNREFUSED: the mail server");

    const retried = await type("retry", "bad", "--queue", "mails");
    expect(retried).toMatchObject({ code: 0, stderr: "" });
    expect(retried.stdout).toBe("bad  The job is queued again.\n");
    expect((await type("resume", "mails", "--yes")).code).toBe(0);
    await until(isPaused);

    const skipped = await type("skip", "bad", "--queue", "mails", "--reason", "sent by hand");
    expect(skipped.stdout).toBe("bad  The job is skipped.\n");
    expect((await type("pause", "mails")).code).toBe(0);
    expect((await type("resume", "mails", "--yes")).code).toBe(0);
    expect((await type("status", "mails")).stdout).toMatch(/Failed +0/);
  } finally {
    await server.close();
    await worker.close(true);
    await queue.close();
    await redis.stop();
  }
});

import { startRedis, until } from "@andon/testkit";
import { expect, test } from "vitest";
import { TestServer } from "../harness.ts";

test("without Redis only the BullMQ queues fail, and readiness names that part", async () => {
  const redis = await startRedis();
  const server = await TestServer.start("sqlite", { bullmq: { queues: { mails: { redisUrl: redis.url } } } });
  const status = () => server.ask("GET", "/admin/queues/mails/status");
  try {
    await until(async () => (await status()).status === 200);
    expect((await server.done("GET", "/readyz")).status).toBe("ok");
    redis.freeze();
    await expectAway(server);
    redis.thaw();
    await until(async () => (await status()).status === 200);
    await redis.kill();
    await expectAway(server);
    await redis.restart();
    await until(async () => (await status()).status === 200);
  } finally {
    await server.close();
    await redis.stop();
  }
});

async function expectAway(server: TestServer): Promise<void> {
  expect(await server.refused("GET", "/admin/queues/mails/status")).toMatchObject({
    status: 503,
    error: "BULLMQ_UNAVAILABLE",
  });
  expect((await server.refused("POST", "/admin/queues/mails/pause")).status).toBe(503);
  const { items, total } = await server.done("GET", "/admin/queues?limit=100");
  expect(items).toHaveLength(total);
  const own = items.find(({ queue }: { queue: string }) => queue === "mails");
  expect(own).toMatchObject({ state: "open", bullmq: { problem: expect.any(String) } });
  expect((await server.ask("GET", "/admin/queues/nas-sync/status")).status).toBe(200);
  const ready = await server.ask("GET", "/readyz");
  expect(ready).toMatchObject({ status: 200, body: { status: "degraded" } });
  const parts = ready.body.parts.filter(({ ok }: { ok: boolean }) => !ok);
  expect(parts).toEqual([{ name: "bullmq", ok: false, problem: expect.stringContaining("mails") }]);
  const forAnybody = await server.ask("GET", "/readyz", { token: null });
  expect(JSON.stringify(forAnybody.body)).not.toContain("mails");
}

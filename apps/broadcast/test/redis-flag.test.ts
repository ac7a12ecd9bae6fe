import { createDatabase, type RedisServer, startPostgres, startRedis } from "@andon/testkit";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { abortBulkJob } from "../src/abort/abort-bulk-job.ts";
import { redisFlags } from "../src/abort/redis-flags.ts";
import { UnrecordedAborts } from "../src/abort/unrecorded-aborts.ts";
import { BroadcastServer, describeBroadcast, SLOW, until } from "./harness.ts";

let redis: RedisServer;
beforeAll(async () => {
  redis = await startRedis();
});
beforeEach(async () => {
  redis.thaw();
  await redis.restart();
});
afterAll(() => redis?.stop());

const keyOf = (id: string) => `notification_creation_abort:${id}`;
/** The URL is read on use, because Redis starts after this module is loaded. */
const withRedis = (abortTtl = "1h") => ({
  settings: {
    get redisUrl() {
      return redis.url;
    },
    broadcast: { abortTtl },
  },
});
const flagFor = (wish: Record<string, unknown>) =>
  JSON.stringify({
    by: "kim",
    tenantId: "default",
    reason: "load",
    requestedAt: new Date().toISOString(),
    ...wish,
  });
const connected = (server: BroadcastServer) =>
  until(async () => (await server.done("GET", "/readyz")).status === "ok");

describeBroadcast("the abort flag in Redis", (it) => {
  it("stops a job at its next chunk and is recorded by its worker", withRedis(), async (server) => {
    await connected(server);
    await server.addChannels(80);
    const id = await server.makeJob(SLOW);
    await server.processed(id, 10);
    await redis.command("SET", keyOf(id), flagFor({ tenantId: "acme" }));
    const { processed } = await server.job(id);
    await server.processed(id, processed + 20);
    await redis.command("SET", keyOf(id), flagFor({}), "EX", "60");
    const job = await server.inState(id, "ABORTED");
    expect(job.processed % 10).toBe(0);
    expect(job.receipt).toMatchObject({ by: "kim", reason: "load", processed: job.processed });
    const { items } = await server.done("GET", "/admin/audit?limit=100");
    const rows = items.filter((row: { target: string }) => row.target === `job:${id}`);
    expect(rows.map((row: { action: string }) => row.action).sort()).toEqual(["bulk.abort", "bulk.aborted"]);
    expect(rows[0].actor).toBe("kim");
    // The flag is older than the resume, so the job continues even if Redis still has the flag.
    const old = await redis.command("GET", keyOf(id));
    await server.done("POST", `/bulk-jobs/${id}/resume`);
    expect(await redis.command("GET", keyOf(id))).toBe("$-1");
    await redis.command("SET", keyOf(id), old);
    expect((await server.inState(id, "COMPLETED")).processed).toBe(80);
  });

  it("is set by an abort with four members and a TTL", withRedis("30s"), async (server) => {
    await connected(server);
    await server.addChannels(30);
    const id = await server.makeJob({ chunkSize: 10, throttle: { pauseMs: 60_000 } });
    await server.processed(id, 10);
    redis.freeze();
    const slow = server.ask("POST", `/bulk-jobs/${id}/abort`, { body: { reason: "busy" } });
    expect((await slow).body).toMatchObject({ state: "ABORTING", recorded: true });
    redis.thaw();
    await server.inState(id, "ABORTED");
    await server.done("POST", `/bulk-jobs/${id}/resume`);
    await server.processed(id, 20);
    // No worker runs this job, so the flag stays and the test can read it.
    const later = await server.makeJob({
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
      category: "b",
    });
    await server.done("POST", `/bulk-jobs/${later}/abort`, { body: { reason: "busy" } });
    const flag = JSON.parse(await redis.command("GET", keyOf(later)));
    expect(Object.keys(flag)).toEqual(["by", "tenantId", "reason", "requestedAt"]);
    expect(flag).toMatchObject({ by: "admin", tenantId: null, reason: "busy" });
    const ttl = Number((await redis.command("PTTL", keyOf(later))).slice(1));
    expect(ttl > 0 && ttl <= 30_000).toBe(true);
    await server.done("POST", `/bulk-jobs/${later}/resume`);
    expect(await redis.command("EXISTS", keyOf(later))).toBe(":0");
    await server.done("POST", `/bulk-jobs/${id}/abort`);
    await server.inState(id, "ABORTED");
  });

  it(
    "may be found by the worker before the store is asked: the abort is still accepted",
    withRedis(),
    async (server) => {
      await connected(server);
      await server.addChannels(80);
      const id = await server.makeJob(SLOW);
      await server.processed(id, 10);
      const { andon, queues } = server.site;
      const flags = redisFlags(redis.url, 60_000);
      await flags.connected(5_000);
      const unrecorded = new UnrecordedAborts(andon.store, flags);
      const queue = queues.get("broadcast")?.queue as never;
      const find = () => server.inState(id, "ABORTED");
      const ports = { store: andon.store, queue, flags, unrecorded, find };
      const scope = { tenantId: null, organizationId: null };
      const answer = await abortBulkJob(ports, id, { actor: "kim", reason: "load" }, scope);
      expect(answer).toMatchObject({ id, state: "ABORTING", recorded: true });
      expect((await server.job(id)).receipt).toMatchObject({ by: "kim", reason: "load" });
      const refused = abortBulkJob(ports, id, { actor: "lee" }, scope);
      await expect(refused).rejects.toMatchObject({ code: "JOB_STATE" });
      await flags.close();
      // The store does not wait for a Redis that takes a command and does not answer.
      const next = await server.makeJob(SLOW);
      await server.processed(next, 10);
      const silent = { ...flags, set: () => new Promise<boolean>(() => {}) };
      const found = async () => ({});
      const recorded = await abortBulkJob(
        { ...ports, flags: silent, find: found },
        next,
        { actor: "kim" },
        scope,
      );
      expect(recorded).toMatchObject({ state: "ABORTING", recorded: true });
      await server.inState(next, "ABORTED");
    },
  );

  it(
    "answers an abort of a running job with ABORTING, even if the job stops at once",
    withRedis(),
    async (server) => {
      await connected(server);
      await server.addChannels(2_000);
      for (let round = 0; round < 5; round++) {
        const id = await server.makeJob({
          category: `fast-${round}`,
          chunkSize: 5,
          throttle: { pauseMs: 20 },
        });
        await server.processed(id, 5);
        const { status, body } = await server.ask("POST", `/bulk-jobs/${id}/abort`);
        expect([status, body.state, body.recorded, body.stopsWithinMs > 0]).toEqual([
          202,
          "ABORTING",
          true,
          true,
        ]);
        await server.inState(id, "ABORTED");
      }
    },
  );

  it("is ignored if it predates the resume of a job that had not started", withRedis(), async (server) => {
    await connected(server);
    await server.addChannels(20);
    const id = await server.makeJob({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
    expect((await server.done("POST", `/bulk-jobs/${id}/abort`)).state).toBe("ABORTED");
    const old = await redis.command("GET", keyOf(id));
    await server.done("POST", `/bulk-jobs/${id}/resume`);
    await redis.command("SET", keyOf(id), old);
    await server.done("POST", `/admin/jobs/${id}/run-now`);
    await server.inState(id, "COMPLETED");
  });

  it("is ignored after it has expired", withRedis(), async (server) => {
    await connected(server);
    await server.addChannels(20);
    const id = await server.makeJob({ scheduledAt: new Date(Date.now() + 3_600_000).toISOString() });
    await redis.command("SET", keyOf(id), flagFor({}), "PX", "50");
    await until(async () => (await redis.command("EXISTS", keyOf(id))) === ":0");
    await server.done("POST", `/admin/jobs/${id}/run-now`);
    await server.inState(id, "COMPLETED");
  });

  it(
    "may be lost with Redis: the store carries the abort, and readiness reports Redis",
    withRedis(),
    async (server) => {
      await connected(server);
      await server.addChannels(80);
      const id = await server.makeJob(SLOW);
      await server.processed(id, 10);
      await redis.kill();
      expect((await server.done("POST", `/bulk-jobs/${id}/abort`)).recorded).toBe(true);
      await server.inState(id, "ABORTED");
      const ready = await server.ask("GET", "/readyz");
      expect([ready.status, ready.body.status]).toEqual([200, "degraded"]);
      expect(ready.body.parts.find((part: { name: string }) => part.name === "redis").ok).toBe(false);
      await server.done("POST", `/bulk-jobs/${id}/resume`);
      await server.inState(id, "COMPLETED");
    },
  );
});

test("a flag is renewed whoever set it, and a clear removes only flags that are not later", async () => {
  const flags = redisFlags(redis.url, 60_000);
  await flags.connected(5_000);
  const wish = { by: "admin", tenantId: null, organizationId: null, reason: null, requestedAt: 1_000 };
  const isSet = async () => (await redis.command("EXISTS", keyOf("job"))) === ":1";
  try {
    await flags.set("job", wish);
    await redis.command("PEXPIRE", keyOf("job"), "5000");
    await flags.renew("job", { ...wish, tenantId: "default" });
    expect(Number((await redis.command("PTTL", keyOf("job"))).slice(1))).toBeGreaterThan(5_000);
    await flags.clear("job", 999);
    expect(await isSet()).toBe(true);
    await flags.clear("job", 1_000);
    expect(await isSet()).toBe(false);
    await redis.command("SET", keyOf("job"), "by hand");
    await flags.clear("job", 0);
    expect(await isSet()).toBe(false);
  } finally {
    await flags.close();
  }
});

test("an abort reaches its worker while PostgreSQL is silent, for callers whose key was checked shortly before", async () => {
  const postgres = await startPostgres({ settings: { fsync: "off" } });
  const database = await createDatabase(postgres.url);
  const ground = { data: `/tmp/andon-broadcast-silent-${process.pid}`, store: database.url };
  const server = await BroadcastServer.start("postgres", { ground, settings: withRedis("9s").settings });
  try {
    await connected(server);
    await server.addChannels(200);
    const seen = await server.key(["bulk.read", "bulk.operate"]);
    const unseen = await server.key(["bulk.operate"]);
    const id = await server.makeJob(SLOW, seen);
    await server.processed(id, 10);
    postgres.freeze();
    expect((await server.ask("POST", `/bulk-jobs/${id}/abort`, { token: unseen })).status).toBe(503);
    const { status, body } = await server.ask("POST", `/bulk-jobs/${id}/abort`, {
      token: seen,
      body: { reason: "silent" },
    });
    expect([status, body.state, body.recorded]).toEqual([202, "ABORTING", false]);
    const { reason, requestedAt } = JSON.parse(await redis.command("GET", keyOf(id)));
    expect(reason).toBe("silent");
    // The flag is renewed while the database is silent.
    await redis.command("PEXPIRE", keyOf(id), "5000");
    await until(async () => Number((await redis.command("PTTL", keyOf(id))).slice(1)) > 5_000);
    // Redis loses the flag as well: only the process that answered still knows of the abort.
    await redis.restart();
    postgres.thaw();
    const job = await server.inState(id, "ABORTED");
    expect(job.receipt).toMatchObject({ by: "key:test", reason: "silent", requestedAt });
    expect(job.receipt.stoppedAt >= requestedAt).toBe(true);
    expect(job.processed % 10).toBe(0);
  } finally {
    postgres.thaw();
    await server.stop();
    await postgres.stop();
  }
}, 60_000);

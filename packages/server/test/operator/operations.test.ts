import { expect, test } from "vitest";
import { STORES, TestServer, until } from "../harness.ts";

const MANY = 150;

/** A decision over many jobs that takes longer than two seconds continues as an operation, which can be followed. */
test.each(STORES)(
  "a decision over many jobs answers 202 if it takes too long, and can be followed on %s",
  async (store) => {
    const settings = { queues: { idle: { keep: { ended: 0 } } } };
    const server = await TestServer.start(store, settings, { answerWithinMs: 0 });
    try {
      const client = server.client();
      const { queue } = server.site.queues.get("idle") ?? {};
      await queue?.addMany(
        Array.from({ length: MANY }, (_, n) => n),
        { tenant: "acme" },
      );
      const acme = await server.key(["queue.operate", "queue.read"], { tenantId: "acme" });
      const plan = await client.plans.create({ action: "cancel", queue: "idle", filter: {} });
      const applied = await server.ask("POST", `/admin/plans/${plan.id}/apply`, {
        body: { reason: "too many" },
      });
      expect([applied.status, applied.body]).toEqual([
        202,
        { operationId: expect.any(String), total: MANY, done: expect.any(Number) },
      ]);
      const id = applied.body.operationId as string;
      await until(async () => (await client.operations.show({ id })).state === "DONE");
      const operation = await client.operations.show({ id });
      expect(operation).toMatchObject({
        queue: "idle",
        action: "cancel",
        total: MANY,
        done: MANY,
        leftOut: { count: 0, jobs: [] },
        problem: null,
        actor: "admin",
        reason: "too many",
        finishedAt: expect.any(String),
      });
      expect((await client.operations.list({ queue: "idle" })).items).toEqual([operation]);
      expect((await client.operations.list({ queue: "idle", running: "true" })).total).toBe(0);
      expect((await client.operations.list({})).total).toBe(1);
      const purged = await server.ask("POST", "/admin/queues/idle/purge", { body: { reason: "old" } });
      expect(purged.status).toBe(202);
      const purge = purged.body.operationId as string;
      await until(async () => (await client.operations.show({ id: purge })).state === "DONE");
      expect(await client.operations.show({ id: purge })).toMatchObject({
        action: "purge",
        total: MANY,
        done: MANY,
        reason: "old",
      });
      expect((await client.jobs.list({ queue: "idle" })).total).toBe(0);
      await queue?.addMany(Array.from({ length: MANY }, (_, n) => n));
      await client.queues.pause({ queue: "idle" });
      const deleted = await server.ask("DELETE", "/admin/queues/idle?reason=unused");
      expect(deleted.status).toBe(202);
      const deletion = deleted.body.operationId as string;
      await until(async () => (await client.operations.show({ id: deletion })).state === "DONE");
      expect(await client.operations.show({ id: deletion })).toMatchObject({
        action: "delete-queue",
        total: MANY,
        done: MANY,
        reason: "unused",
      });
      expect(await server.site.andon.store.read.queue("idle")).toBeUndefined();
      expect((await server.refused("POST", `/admin/operations/${deletion}/cancel`, { body: {} })).error).toBe(
        "OPERATION_ENDED",
      );
      // Made without a scope, so a tenant must not learn that it exists.
      const hidden = await server.refused("GET", `/admin/operations/${id}`, { token: acme });
      expect([hidden.status, hidden.error]).toEqual([404, "OPERATION_NOT_FOUND"]);
      expect((await server.client(acme).operations.list({})).total).toBe(0);
      const unknown = await server.refused("GET", "/admin/operations/nothing");
      expect([unknown.status, unknown.error]).toEqual([404, "OPERATION_NOT_FOUND"]);
    } finally {
      await server.close();
    }
  },
);

test("a decision over few jobs answers when it is done", async () => {
  const settings = { queues: { idle: {} } };
  const server = await TestServer.start("sqlite", settings, { answerWithinMs: 0 });
  try {
    const client = server.client();
    await client.queues.add({ queue: "idle", key: "k" });
    await client.queues.add({ queue: "idle", key: "k" });
    const rest = await client.lanes.cancelRest({ queue: "idle", key: "k", reason: "all wrong" });
    expect(rest).toMatchObject({ success: true, cancelledCount: 2 });
    expect((await client.operations.list({})).total).toBe(0);
  } finally {
    await server.close();
  }
});

test.each(STORES)("a decision over many jobs can be cancelled midway on %s", async (store) => {
  const server = await TestServer.start(store, { queues: { idle: {} } }, { answerWithinMs: 0 });
  try {
    const { queue } = server.site.queues.get("idle") ?? {};
    const many = 3_000;
    await queue?.addMany(Array.from({ length: many }, (_, n) => n));
    const client = server.client();
    const plan = await client.plans.create({ action: "cancel", queue: "idle", filter: {} });
    const applied = await server.ask("POST", `/admin/plans/${plan.id}/apply`, {
      body: { reason: "too many" },
    });
    const id = applied.body.operationId as string;
    const path = `/admin/operations/${id}/cancel`;
    const stranger = await server.key(["queue.operate", "queue.read"], { tenantId: "other" });
    expect((await server.refused("POST", path, { token: stranger, body: {} })).error).toBe(
      "OPERATION_NOT_FOUND",
    );
    const cancelled = await server.ask("POST", path, { body: { reason: "a mistake" } });
    expect([cancelled.status, cancelled.body.state]).toEqual([200, "CANCELLED"]);
    const { done } = cancelled.body;
    expect(done).toBeLessThan(many);
    expect((await server.refused("POST", path, { body: {} })).error).toBe("OPERATION_ENDED");
    const { waiting } = await client.queues.status({ queue: "idle" });
    expect(waiting).toBe(many - done);
    expect((await client.audit.list({ action: "operation.cancel" })).items[0]).toMatchObject({
      reason: "a mistake",
      after: { done, notDone: many - done },
    });
    expect((await client.operations.show({ id })).done).toBe(done);
  } finally {
    await server.close();
  }
});

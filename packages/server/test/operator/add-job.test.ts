import { expect } from "vitest";
import { describeServers } from "../harness.ts";

const shop = { name: "shop", queues: () => ({ orders: {} }) };
const SETTINGS = { apps: [shop], queues: { mail: {}, studio: { attempts: 2 } } };

describeServers("adding a job", (it) => {
  it("is refused in a queue of the host or an app", SETTINGS, async (server) => {
    const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
    for (const queue of ["outbox", "orders"]) {
      for (const bearer of [token, server.adminToken]) {
        const refused = await server.refused("POST", `/admin/queues/${queue}/jobs`, {
          token: bearer,
          body: { name: "DELETE", payload: { fileId: "somebody's" } },
        });
        expect([queue, refused.status, refused.error]).toEqual([queue, 409, "JOBS_FROM_APP"]);
      }
      expect((await server.client().queues.status({ queue })).waiting).toBe(0);
    }
    expect((await server.client(token).queues.add({ queue: "mail" })).created).toBe(true);
  });

  it("is possible in a queue that the configuration defines with a handler", {
    queues: { "nas-sync": { handler: (async () => "done") as never } },
  }, async (server) => {
    expect((await server.client().queues.add({ queue: "nas-sync" })).created).toBe(true);
  });

  it("writes one row of the audit log, with its reason and never the payload", SETTINGS, async (server) => {
    const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
    const body = { payload: "secret", key: "kim", idempotencyKey: "once", reason: " asked by kim " };
    const { body: made } = await server.ask("POST", "/admin/queues/mail/jobs", { token, body });
    await server.ask("POST", "/admin/queues/mail/jobs", { token, body });
    const { items } = await server.client(token).audit.list();
    expect(items).toMatchObject([
      {
        actor: "key:test",
        action: "job.add",
        target: `job:${made.id}`,
        reason: "asked by kim",
        before: null,
        after: { queue: "mail", name: "mail", keys: ["kim"] },
      },
    ]);
    expect(JSON.stringify(items)).not.toContain("secret");
  });

  it("names the invalid field", SETTINGS, async (server) => {
    for (const [body, field] of [
      [{ delay: "5x" }, "delay"],
      [{ key: "a", keys: ["b"] }, "keys"],
      [{ runAt: "2030-01-01T00:00:00Z", delay: 5 }, "delay"],
      [{ key: "열쇠".repeat(400) }, "key"],
      [{ tenantId: "가".repeat(150) }, "tenantId"],
    ] as const) {
      const refused = await server.refused("POST", "/admin/queues/mail/jobs", { body });
      expect([field, refused.status, refused.error]).toEqual([field, 400, "VALIDATION_FAILED"]);
      expect(refused.details).toMatchObject([{ in: "body", field }]);
    }
  });
});

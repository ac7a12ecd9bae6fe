import { expect } from "vitest";
import { describeServers } from "../harness.ts";

const reason = "asked by kim";
const SETTINGS = { queues: { mail: {} } };

describeServers("a reason", (it) => {
  it("is accepted by every action, and stored in its audit row", SETTINGS, async (server) => {
    const client = server.client();
    await client.queues.add({ queue: "mail", payload: 1 });
    const plan = await client.plans.create({ queue: "mail", action: "cancel" });
    for (const [action, path, body] of [
      ["job.add", "/admin/queues/mail/jobs", {}],
      ["plan.apply", `/admin/plans/${plan.id}/apply`, {}],
      ["alert.test", "/admin/alerts/test", {}],
      ["key.create", "/admin/keys", { name: "shop", permissions: ["queue.read"] }],
      ["login.link", "/admin/login-links", {}],
    ] as const) {
      const { status } = await server.ask("POST", path, { body: { ...body, reason } });
      expect([path, status]).toEqual([path, path.endsWith("apply") ? 200 : 201]);
      expect((await client.audit.list({ action })).items[0]).toMatchObject({ action, reason });
    }
  });

  it("may be missing with the whole body, or be blank", SETTINGS, async (server) => {
    for (const asked of [{}, { body: { reason: "  " } }]) {
      expect((await server.ask("POST", "/admin/login-links", asked)).status).toBe(201);
    }
    const { items } = await server.client().audit.list({ action: "login.link" });
    expect(items.map((row) => row.reason)).toEqual([null, null]);
  });
});

import { expect } from "vitest";
import { describeServers, until } from "../harness.ts";

const SETTINGS = {
  queues: {
    mail: {
      attempts: 1,
      onFinalFailure: "hold-lane" as const,
      handler: (async () => {
        throw new Error("no");
      }) as never,
    },
  },
};

describeServers("a key of one tenant", (it) => {
  it("sees and adds only its own jobs", SETTINGS, async (server) => {
    const admin = server.client();
    const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
    const acme = server.client(token);

    const theirs = await admin.queues.add({ queue: "mail", payload: "secret", tenantId: "other", key: "o" });
    const mine = await acme.queues.add({ queue: "mail", payload: 1, key: "m" });
    expect((await admin.jobs.show({ id: mine.id })).tenantId).toBe("acme");
    await until(async () => (await admin.queues.status({ queue: "mail" })).failed === 2);

    expect((await acme.jobs.list()).items.map((job) => job.id)).toEqual([mine.id]);
    const failed = await acme.queues.failed({ queue: "mail" });
    expect(failed.items.map((item) => item.syncEventId)).toEqual([mine.id]);
    expect(failed.total).toBe(1);
    expect((await acme.queues.status({ queue: "mail" })).failed).toBe(1);
    expect((await acme.queues.fingerprints({ queue: "mail" })).items[0]?.count).toBe(1);

    const ticket = (await admin.jobs.show({ id: theirs.id })).ticket;
    for (const [method, path, body] of [
      ["GET", `/admin/jobs/${theirs.id}`],
      ["GET", `/admin/jobs/${ticket}`],
      ["GET", `/admin/jobs/${theirs.id}/why`],
      ["POST", `/admin/jobs/${theirs.id}/retry`],
      ["POST", `/admin/jobs/${theirs.id}/skip`, { reason: "x" }],
      ["POST", `/admin/jobs/${theirs.id}/cancel`],
      ["GET", `/admin/queues/mail/failed/${ticket}`],
      ["GET", `/admin/queues/mail/events/${theirs.id}`],
      ["POST", `/admin/queues/mail/retry/${ticket}`],
      ["POST", `/admin/queues/mail/skip/${ticket}`, { reason: "x" }],
    ] as const) {
      const refused = await server.refused(method, path, { token, ...(body ? { body } : {}) });
      expect([path, refused.status, refused.error]).toEqual([path, 404, "JOB_NOT_FOUND"]);
    }
    expect((await admin.jobs.show({ id: theirs.id })).state).toBe("failed");
    expect((await acme.jobs.retry({ id: mine.id })).success).toBe(true);
    const audit = await acme.audit.list();
    expect(audit.items.every((row) => row.target === `job:${mine.id}`)).toBe(true);
    expect(audit.items).not.toHaveLength(0);
  });

  it("is refused if it names another tenant, or asks for a whole queue", SETTINGS, async (server) => {
    const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
    for (const [method, path, body] of [
      ["GET", "/admin/jobs?tenantId=other"],
      ["POST", "/admin/queues/mail/jobs", { tenantId: "other" }],
      ["POST", "/admin/plans", { queue: "mail", action: "retry", filter: { tenantId: "other" } }],
    ] as const) {
      const refused = await server.refused(method, path, { token, ...(body ? { body } : {}) });
      expect([path, refused.status, refused.error]).toEqual([path, 403, "PP-403-SCOPE"]);
    }
    for (const path of ["pause", "resume", "retry-all", "skip-all-and-resume"]) {
      const body = { reason: "x" };
      const refused = await server.refused("POST", `/admin/queues/mail/${path}`, { token, body });
      expect([path, refused.status, refused.error]).toEqual([path, 403, "SCOPE_TOO_NARROW"]);
    }
    expect((await server.client().queues.status({ queue: "mail" })).isPaused).toBe(false);
  });

  it("plans only for its own jobs", SETTINGS, async (server) => {
    const admin = server.client();
    const token = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
    const acme = server.client(token);
    await admin.queues.add({ queue: "mail", tenantId: "other", key: "o" });
    await acme.queues.add({ queue: "mail", key: "m" });
    await until(async () => (await admin.queues.status({ queue: "mail" })).failed === 2);
    const plan = await acme.plans.create({ queue: "mail", action: "skip", reason: "mine" });
    expect(plan.count).toBe(1);
    const wide = await admin.plans.create({ queue: "mail", action: "skip", reason: "all" });
    expect(wide.count).toBe(2);
    const foreign = await server.refused("POST", `/admin/plans/${wide.id}/apply`, { token });
    expect([foreign.status, foreign.error]).toEqual([404, "PLAN_NOT_FOUND"]);
    expect(await acme.plans.apply({ id: plan.id })).toMatchObject({ appliedCount: 1 });
  });
});

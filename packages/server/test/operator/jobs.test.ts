import { expect } from "vitest";
import { describeServers, type TestServer, until } from "../harness.ts";

const failing = {
  attempts: 1,
  onFinalFailure: "hold-lane" as const,
  handler: (async (job: { payload: { fails?: string } }) => {
    if (job.payload?.fails) throw Object.assign(new Error(job.payload.fails), { code: "EFAIL" });
    return "fine";
  }) as never,
};
const SETTINGS = { queues: { mail: failing, idle: {} } };

const failedCount = (server: TestServer, count: number) =>
  until(async () => (await server.client().queues.status({ queue: "mail" })).failed === count);

describeServers("jobs", (it) => {
  it("are found by every filter", SETTINGS, async (server) => {
    const client = server.client();
    await client.queues.add({
      queue: "mail",
      payload: { fails: "box 17 is full" },
      key: "kim",
      name: "send",
    });
    await client.queues.add({
      queue: "mail",
      payload: { fails: "box 18 is full" },
      key: "lee",
      name: "send",
    });
    await client.queues.add({ queue: "idle", payload: 1, tenantId: "acme", name: "other", key: "kim" });
    await client.queues.add({ queue: "idle", payload: 2, delay: "1h" });
    await failedCount(server, 2);

    const names = async (filter: Parameters<typeof client.jobs.list>[0]) => {
      const { items } = await client.jobs.list(filter);
      return items.map((job) => `${job.queue}/${job.name}/${job.state}`);
    };
    expect(await names({ queue: "mail" })).toEqual(["mail/send/failed", "mail/send/failed"]);
    expect(await names({ state: "scheduled" })).toEqual(["idle/idle/scheduled"]);
    expect(await names({ tenantId: "acme" })).toEqual(["idle/other/ready"]);
    expect(await names({ key: "lee" })).toEqual(["mail/send/failed"]);
    expect(await names({ name: "other" })).toEqual(["idle/other/ready"]);
    expect(await names({ text: "BOX 18" })).toEqual(["mail/send/failed"]);
    expect(await names({ code: "EFAIL" })).toEqual(["mail/send/failed", "mail/send/failed"]);
    expect(await names({ code: "EFAIL", key: "kim" })).toEqual(["mail/send/failed"]);
    expect(await names({ code: "EOTHER" })).toEqual([]);
    const [one, other] = (await client.jobs.list({ state: "failed" })).items;
    expect(one?.error?.fingerprint).toBe(other?.error?.fingerprint);
    expect(await names({ fingerprint: one?.error?.fingerprint as string })).toHaveLength(2);
    expect(await names({ text: one?.ticket as string })).toContain("mail/send/failed");
    expect(await names({ text: one?.id as string })).toHaveLength(1);
    expect(await names({ to: "2020-01-01T00:00:00Z" })).toEqual([]);
    expect(await names({ from: "2020-01-01T00:00:00Z", queue: "idle" })).toHaveLength(2);
    expect((await client.jobs.list({ queue: "mail", state: "failed" })).total).toBe(2);
  });

  it("are counted by state for any filter", SETTINGS, async (server) => {
    const client = server.client();
    await client.queues.add({ queue: "mail", payload: { fails: "box 17" }, name: "send" });
    await client.queues.add({ queue: "idle", payload: 1, tenantId: "acme" });
    await client.queues.add({ queue: "idle", payload: 2, delay: "1h" });
    await failedCount(server, 1);
    const all = await client.jobs.counts({});
    // The alert about the failure is itself a job of the outbox: ready, running or done by now.
    expect(all.counts).toMatchObject({ failed: 1, scheduled: 1 });
    expect(all.counts.ready).toBeGreaterThanOrEqual(1);
    expect(all.more).toBeUndefined();
    expect((await client.jobs.counts({ queue: "idle" })).counts).toMatchObject({
      failed: 0,
      ready: 1,
      running: 0,
    });
    expect((await client.jobs.counts({ text: "BOX" })).counts).toMatchObject({ failed: 1, ready: 0 });
    const acme = await server.key(["queue.read"], { tenantId: "acme" });
    const { body } = await server.ask("GET", "/admin/jobs/counts", { token: acme });
    expect(body.counts).toMatchObject({ failed: 0, ready: 1, scheduled: 0 });
  });

  it("are listed in reverse order if an index allows it", SETTINGS, async (server) => {
    const client = server.client();
    for (const n of [1, 2, 3]) await client.queues.add({ queue: "idle", payload: n, name: `n${n}` });
    for (const n of [1, 2])
      await client.queues.add({ queue: "mail", payload: { fails: "x" }, name: `m${n}` });
    await failedCount(server, 2);
    const both = async (filter: Parameters<typeof client.jobs.list>[0]) => {
      const names = async (reverse: "true" | "false") =>
        (await client.jobs.list({ ...filter, reverse })).items.map(({ name }) => name);
      return [await names("false"), await names("true")];
    };
    for (const filter of [
      {},
      { queue: "idle", state: "ready" },
      { queue: "mail", state: "failed" },
    ] as const) {
      const [usual, reversed] = await both(filter);
      expect(usual?.length).toBeGreaterThan(1);
      expect(reversed).toEqual(usual?.toReversed());
    }
    expect(
      (await client.jobs.list({ reverse: "true", page: 2, limit: 2 })).items.map(({ name }) => name),
    ).toEqual(["n3", "m1"]);
    const refused = await server.refused("GET", "/admin/jobs?reverse=true&text=x");
    expect(refused).toMatchObject({ error: "VALIDATION_FAILED", details: [{ field: "reverse" }] });
  });

  it("show all their details", SETTINGS, async (server) => {
    const client = server.client();
    const { id, ticket } = await client.queues.add({
      queue: "mail",
      payload: { fails: "no such box" },
      key: "kim",
    });
    await failedCount(server, 1);
    const job = await client.jobs.show({ id });
    expect(job).toMatchObject({ id, ticket, state: "failed", keys: ["kim"], attempts: 1 });
    expect(job.payload).toEqual({ fails: "no such box" });
    expect(job.history).toHaveLength(1);
    expect(job.history[0]).toMatchObject({ outcome: "failed", code: "EFAIL", message: "no such box" });
    expect(job.events.map((event) => event.type)).toContain("job.failed");
    expect(job.why).toMatchObject({ rule: "job.failed", sentence: job.why.en });
    expect(job.actions).toEqual(["retry", "skip"]);
    expect(job.traceId).toMatch(/^[0-9a-f]{32}$/);
    expect((await client.jobs.show({ id: ticket })).id).toBe(id);
    expect((await server.client(server.adminToken, "ko").jobs.why({ id })).sentence).toMatch(/[가-힣]/);

    const skipped = await client.jobs.skip({ id, reason: "told them" });
    expect(skipped).toMatchObject({ success: true, state: "resolved" });
    expect((await client.jobs.show({ id })).audit[0]).toMatchObject({
      action: "job.skip",
      reason: "told them",
    });
    expect((await server.refused("POST", `/admin/jobs/${id}/retry`)).error).toBe("JOB_STATE");
  });

  it("can be cancelled, or run before their time", SETTINGS, async (server) => {
    const client = server.client();
    const waiting = await client.queues.add({ queue: "idle", payload: 1 });
    const cancelled = await client.jobs.cancel({ id: waiting.id, reason: "not needed" });
    expect(cancelled.state).toBe("cancelled");
    const later = await client.queues.add({ queue: "idle", payload: 1, delay: "1h" });
    expect((await client.jobs.show({ id: later.id })).actions).toEqual(["cancel", "run-now"]);
    expect((await client.jobs.runNow({ id: later.id })).state).toBe("ready");
    expect((await server.refused("POST", "/admin/jobs/0190-none/cancel")).status).toBe(404);
  });

  it("are added once per idempotency key", SETTINGS, async (server) => {
    const body = { payload: 1, idempotencyKey: "once" };
    const first = await server.ask("POST", "/admin/queues/idle/jobs", { body });
    const second = await server.ask("POST", "/admin/queues/idle/jobs", { body });
    expect([first.status, first.body.created]).toEqual([201, true]);
    expect([second.status, second.body.created]).toEqual([200, false]);
    expect(second.body.id).toBe(first.body.id);
  });

  it("are grouped by the cause of their failure", SETTINGS, async (server) => {
    const client = server.client();
    for (const fails of ["box 1 is full", "box 2 is full", "no route"]) {
      await client.queues.add({ queue: "mail", payload: { fails }, key: fails });
    }
    await failedCount(server, 3);
    const { items, total } = await client.queues.fingerprints({ queue: "mail" });
    expect(total).toBe(2);
    expect(items.map((group) => group.count)).toEqual([2, 1]);
    expect(items[0]).toMatchObject({ code: "EFAIL", lastResolution: null });
  });
});

describeServers("lanes", (it) => {
  it("are held and released by hand, or released by settling the failed job", SETTINGS, async (server) => {
    const client = server.client();
    await client.queues.add({ queue: "mail", payload: { fails: "no" }, key: "kim" });
    await client.queues.add({ queue: "mail", payload: {}, key: "kim" });
    await failedCount(server, 1);
    const { items } = await client.lanes.list({ queue: "mail", held: "true" });
    expect(items).toHaveLength(1);
    expect(items[0]).toMatchObject({ key: "kim", depth: 2, held: { kind: "failure", error: "EFAIL: no" } });
    const refused = await server.refused("POST", "/admin/queues/mail/lanes/release", {
      body: { key: "kim" },
    });
    expect([refused.status, refused.error]).toEqual([409, "LANE_HELD_BY_FAILURE"]);
    const rest = await client.lanes.cancelRest({ queue: "mail", key: "kim", reason: "all wrong" });
    expect(rest).toMatchObject({ cancelledCount: 1 });

    expect(await client.lanes.hold({ queue: "idle", key: "lee" })).toMatchObject({ changed: true });
    expect(await client.lanes.hold({ queue: "idle", key: "lee" })).toMatchObject({ changed: false });
    expect(await client.lanes.release({ queue: "idle", key: "lee" })).toMatchObject({ changed: true });
    const none = await server.refused("POST", "/admin/queues/idle/lanes/release", {
      body: { key: "nobody" },
    });
    expect([none.status, none.error]).toEqual([404, "LANE_NOT_FOUND"]);
  });

  it("and queues: a stop has a certificate that verifies", SETTINGS, async (server) => {
    const client = server.client();
    await client.queues.pause({ queue: "mail", reason: "looking" });
    const { items } = await client.stops.list({ queue: "mail" });
    const stopId = items[0]?.id as string;
    const verdict = await client.stops.certificate({ queue: "mail", stopId });
    expect(verdict).toMatchObject({ holds: true, inFeed: true, violations: [] });
    expect(verdict.certificate).toMatchObject({ kind: "hand", actor: "admin", reason: "looking" });
    expect((await server.refused("GET", `/admin/queues/idle/stops/${stopId}`)).error).toBe("STOP_NOT_FOUND");
  });
});

describeServers("a plan", (it) => {
  it("is applied to exactly its set, or not at all", SETTINGS, async (server) => {
    const client = server.client();
    for (const key of ["a", "b", "c"]) {
      await client.queues.add({ queue: "mail", payload: { fails: "no" }, key });
    }
    await client.queues.add({ queue: "mail", payload: {}, key: "a" });
    await failedCount(server, 3);
    const plan = await client.plans.create({
      queue: "mail",
      action: "skip",
      filter: { key: "a" },
      reason: "known",
    });
    expect(plan).toMatchObject({ count: 1, state: "OPEN" });
    expect(plan.reach).toMatchObject({ lanesOpened: 1, waitingBehind: 1 });

    const all = await client.plans.create({ queue: "mail", action: "skip", reason: "all" });
    expect(all.count).toBe(3);
    expect(await client.plans.apply({ id: plan.id })).toMatchObject({ appliedCount: 1 });
    const stale = await server.refused("POST", `/admin/plans/${all.id}/apply`);
    expect([stale.status, stale.error]).toEqual([409, "PLAN_STALE"]);
    expect((await client.queues.status({ queue: "mail" })).failed).toBe(2);
    const used = await server.refused("POST", `/admin/plans/${plan.id}/apply`);
    expect([used.status, used.error]).toEqual([409, "PLAN_USED"]);
    expect((await client.plans.show({ id: plan.id })).state).toBe("APPLIED");
    const empty = await server.refused("POST", "/admin/plans", {
      body: { queue: "mail", action: "retry", filter: { key: "zzz" } },
    });
    expect([empty.status, empty.error]).toEqual([400, "PLAN_EMPTY"]);
  });
});

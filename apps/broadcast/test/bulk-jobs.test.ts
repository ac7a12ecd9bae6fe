import { expect } from "vitest";
import { channelId, describeBroadcast, SLOW, until } from "./harness.ts";

const all = (count: number, prefix?: string) =>
  Array.from({ length: count }, (_, at) => channelId(at + 1, prefix));

describeBroadcast("a bulk job", (it) => {
  it("notifies every channel once, in chunks, and pushes each chunk", {}, async (server) => {
    await server.addChannels(25);
    const body = { category: "news", title: "Hello", body: "World", chunkSize: 10 };
    const made = await server.ask("POST", "/bulk-jobs", { body });
    expect([made.status, made.body.state]).toEqual([201, "WAITING"]);
    const { id } = made.body;
    const job = await server.inState(id, "COMPLETED");
    expect(job).toMatchObject({
      category: "news",
      title: "Hello",
      cursor: "c0025",
      processed: 25,
      total: 25,
      chunkSize: 10,
    });
    expect(job.throttle).toEqual({ pauseMs: 0, maxPerSecond: null });
    expect(await server.notified(id)).toEqual(all(25));
    await until(async () => (await server.done("GET", `/pushes?jobId=${id}&state=SENT`)).total === 25);
    const pushJobs = await server.rows("select id from andon_jobs where queue = 'broadcast-push'");
    expect(pushJobs).toHaveLength(3);
    const page = await server.done("GET", `/notifications?jobId=${id}&limit=10&page=2`);
    expect([page.total, page.items.map((item: { channelId: string }) => item.channelId)]).toEqual([
      25,
      all(25).slice(10, 20),
    ]);
    expect(page.items[0]).toMatchObject({ jobId: id, title: "Hello", body: "World" });
    expect((await server.done("GET", "/notifications?channelId=c0003")).items).toHaveLength(1);
    expect((await server.done("GET", "/notifications")).total).toBe(25);
    const [push] = (await server.done("GET", `/pushes?jobId=${id}&channelId=c0003`)).items;
    expect(push).toMatchObject({ jobId: id, channelId: "c0003", state: "SENT", error: null });
  });

  it("keeps the audience of its first start when channels are added or deleted later", {}, async (server) => {
    await server.addChannels(40);
    const id = await server.makeJob(SLOW);
    expect((await server.job(id)).total === null || (await server.job(id)).total === 40).toBe(true);
    await server.processed(id, 10);
    await server.done("POST", "/channels", { body: [{ id: "c0039x" }, { id: "zz" }] });
    await server.done("DELETE", "/channels/c0040");
    await server.done("DELETE", "/channels/c0038");
    await server.done("POST", "/channels", { body: [{ id: "c0038", name: "again" }] });
    const job = await server.inState(id, "COMPLETED");
    expect([job.processed, job.total]).toEqual([40, 40]);
    expect(await server.notified(id)).toEqual(all(40));
    const next = await server.makeJob();
    await server.inState(next, "COMPLETED");
    expect(await server.notified(next)).toEqual([...all(39), "c0039x", "zz"].sort());
  });

  it("is aborted at a chunk boundary with a receipt, releases its category, and resumes after the last chunk", {}, async (server) => {
    await server.addChannels(60);
    const id = await server.makeJob(SLOW);
    const other = await server.makeJob({ title: "second" });
    await server.processed(id, 20);
    expect((await server.job(other)).state).toBe("WAITING");
    const { status, body } = await server.ask("POST", `/bulk-jobs/${id}/abort`, { body: { reason: "busy" } });
    expect([status, body.id, body.state, body.recorded]).toEqual([202, id, "ABORTING", true]);
    expect(body.stopsWithinMs).toBeGreaterThan(0);
    const job = await server.inState(id, "ABORTED");
    expect(job.processed % 10).toBe(0);
    expect(job.processed).toBeLessThan(60);
    expect(job.abort).toMatchObject({ by: "admin", reason: "busy" });
    const { cursor, processed, total } = job;
    expect(job.receipt).toMatchObject({
      outcome: "ABORTED",
      cursor,
      processed,
      total,
      by: "admin",
      reason: "busy",
    });
    expect(await server.notified(id)).toEqual(all(processed));
    await server.inState(other, "COMPLETED");
    expect((await server.refused("POST", `/bulk-jobs/${id}/abort`)).error).toBe("BULK_STATE");
    const resumed = await server.ask("POST", `/bulk-jobs/${id}/resume`);
    expect(resumed).toMatchObject({ status: 202, body: { id, state: "WAITING" } });
    const done = await server.inState(id, "COMPLETED");
    expect([done.processed, done.abort, done.receipt]).toEqual([60, undefined, undefined]);
    expect(await server.notified(id)).toEqual(all(60));
    const actions = (await server.done("GET", "/admin/audit?limit=100")).items.map(
      (row: { action: string }) => row.action,
    );
    expect(actions).toEqual(expect.arrayContaining(["bulk.abort", "bulk.aborted", "bulk.resume"]));
    expect(await server.rows("select id from andon_jobs where queue = 'outbox'")).toEqual([]);
  });

  it("that has not started is aborted at once, and keeps its scheduled time when resumed", {}, async (server) => {
    await server.addChannels(3);
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = await server.makeJob({ scheduledAt });
    expect(await server.job(id)).toMatchObject({
      state: "SCHEDULED",
      total: null,
      processed: 0,
      cursor: null,
      scheduledAt,
    });
    expect((await server.done("POST", `/bulk-jobs/${id}/abort`)).state).toBe("ABORTED");
    expect((await server.job(id)).receipt).toMatchObject({ processed: 0, total: null, cursor: null });
    expect(await server.done("POST", `/bulk-jobs/${id}/resume`)).toEqual({ id, state: "SCHEDULED" });
    expect((await server.refused("POST", `/bulk-jobs/${id}/resume`)).error).toBe("BULK_STATE");
  });

  it("runs beside one of another category, and beside the same category of another tenant", {}, async (server) => {
    const acme = await server.key(["bulk.read", "bulk.operate"], { tenantId: "acme" });
    await server.addChannels(200);
    await server.addChannels(200, acme);
    const ids = [
      await server.makeJob(SLOW),
      await server.makeJob({ ...SLOW, category: "offers", title: "Autumn 10% off" }),
      await server.makeJob(SLOW, acme),
    ];
    await until(async () => (await server.done("GET", "/bulk-jobs?state=RUNNING")).total === 3);
    for (const id of ids) await server.done("POST", `/bulk-jobs/${id}/abort`);
    for (const id of ids) await server.inState(id, "ABORTED");
    expect((await server.done("GET", "/bulk-jobs?state=ABORTED&category=offers")).total).toBe(1);
    expect((await server.done("GET", "/bulk-jobs?text=10%25")).items).toMatchObject([{ id: ids[1] }]);
  });

  it("is visible only to its own tenant and organisation", {}, async (server) => {
    const permissions = ["bulk.read", "bulk.operate", "notifications.read"];
    const acme = await server.key(permissions, { tenantId: "acme" });
    const east = await server.key(permissions, { tenantId: "acme", organizationId: "east" });
    const other = await server.key(permissions, { tenantId: "other" });
    await server.addChannels(2, acme);
    await server.addChannels(3, east, "e");
    const id = await server.makeJob({}, east);
    await server.inState(id, "COMPLETED");
    expect(await server.notified(id)).toEqual(all(3, "e"));
    const wide = await server.makeJob({}, acme);
    await server.inState(wide, "COMPLETED");
    expect((await server.notified(wide)).length).toBe(5);
    for (const [method, path] of [
      ["GET", ""],
      ["POST", "/abort"],
      ["POST", "/resume"],
      ["DELETE", ""],
      ["GET", "/audience"],
    ] as const) {
      const asked = await server.ask(method, `/bulk-jobs/${id}${path}`, { token: other });
      expect([method, path, asked.status, asked.body.error]).toEqual([
        method,
        path,
        404,
        "BULK_JOB_NOT_FOUND",
      ]);
    }
    const total = async (path: string, token: string) => (await server.done("GET", path, { token })).total;
    expect([
      await total("/bulk-jobs", acme),
      await total("/bulk-jobs", east),
      await total("/bulk-jobs", other),
    ]).toEqual([2, 1, 0]);
    expect([await total("/notifications", acme), await total("/notifications", east)]).toEqual([8, 3]);
    expect([await total("/pushes", other), await total("/notifications?channelId=e0001", east)]).toEqual([
      0, 1,
    ]);
  });

  it("is throttled, also while it runs, and an abort cuts the pause short", {}, async (server) => {
    await server.addChannels(30);
    const id = await server.makeJob({ chunkSize: 10, throttle: { maxPerSecond: 1_000_000 } });
    await server.inState(id, "COMPLETED");
    expect(
      (await server.refused("PATCH", `/bulk-jobs/${id}`, { body: { throttle: { pauseMs: 1 } } })).error,
    ).toBe("BULK_STATE");
    const slow = await server.makeJob({
      chunkSize: 10,
      throttle: { maxPerSecond: 500_000 },
      scheduledAt: new Date(Date.now() + 3_600_000).toISOString(),
    });
    const changed = await server.done("PATCH", `/bulk-jobs/${slow}`, {
      body: { throttle: { pauseMs: 60_000 } },
    });
    expect(changed.throttle).toEqual({ pauseMs: 60_000, maxPerSecond: 500_000 });
    await server.done("POST", `/admin/jobs/${slow}/run-now`);
    await server.processed(slow, 10);
    expect((await server.job(slow)).throttle).toEqual({ pauseMs: 60_000, maxPerSecond: 500_000 });
    const asked = Date.now();
    await server.done("POST", `/bulk-jobs/${slow}/abort`);
    await server.inState(slow, "ABORTED");
    expect(Date.now() - asked).toBeLessThan(30_000);
    const rows = (await server.done("GET", "/admin/audit?limit=100")).items;
    const throttled = rows.filter((row: { action: string }) => row.action === "bulk.throttle");
    expect(throttled).toMatchObject([
      {
        before: { pauseMs: 0, maxPerSecond: 500_000 },
        after: { pauseMs: 60_000, maxPerSecond: 500_000 },
      },
    ]);
  });

  it("that fails holds its category until it is resumed or deleted, with an alert", {
    settings: { queues: { broadcast: { attempts: 1 } } },
  }, async (server) => {
    await server.addChannels(5);
    await server.rows("select 1");
    const breakIt =
      "insert into broadcast_notifications (job_id, channel_id, tenant_id, created_at) values ($1, 'c0003', 'default', 0)";
    const store = server.site.andon.store;
    const scheduledAt = new Date(Date.now() + 3_600_000).toISOString();
    const id = await server.makeJob({ scheduledAt });
    await store.transaction("test", (tx) => tx.query(breakIt, [id]));
    await server.done("POST", `/admin/jobs/${id}/run-now`);
    const job = await server.inState(id, "FAILED");
    expect(job.error).toBeTruthy();
    const next = await server.makeJob();
    expect((await server.job(next)).state).toBe("WAITING");
    const { items } = await server.done("GET", "/admin/alerts");
    expect(items.map((alert: { type: string }) => alert.type)).toContain("BULK_JOB_FAILED");
    await store.transaction("test", (tx) =>
      tx.query("delete from broadcast_notifications where job_id = $1", [id]),
    );
    expect(
      (
        await server.done(
          "POST",
          `/admin/queues/broadcast/retry/${(await server.done("GET", `/admin/jobs/${id}`)).ticket}`,
        )
      ).success,
    ).toBe(true);
    await server.done("POST", `/admin/jobs/${id}/run-now`);
    await server.inState(id, "COMPLETED");
    await server.inState(next, "COMPLETED");
  });

  it("has a skip that can be undone for a while if the settings allow it, and an abort that acts at once", {
    settings: { decisions: { undoWindow: "1s" } },
  }, async (server) => {
    await server.addChannels(60);
    const id = await server.makeJob(SLOW);
    await server.processed(id, 10);
    const skip = () => server.ask("POST", `/admin/jobs/${id}/skip`, { body: { reason: "old" } });
    expect((await skip()).body.error).toBe("BULK_STATE");
    await server.done("POST", `/admin/jobs/${id}/cancel`);
    await server.inState(id, "ABORTED");
    const { status, body } = await skip();
    expect([status, body.pendingDecision.state]).toEqual([202, "pending"]);
    await server.done("POST", `/admin/decisions/${body.pendingDecision.id}/undo`);
    expect((await server.job(id)).state).toBe("ABORTED");
    await skip();
    await until(async () => (await server.ask("GET", `/bulk-jobs/${id}`)).status === 404);
  });

  it("is deleted in any state but running, and its notifications stay", {}, async (server) => {
    await server.addChannels(60);
    const id = await server.makeJob(SLOW);
    const waiting = await server.makeJob();
    await server.processed(id, 10);
    expect((await server.refused("DELETE", `/bulk-jobs/${id}`)).error).toBe("BULK_STATE");
    expect((await server.ask("DELETE", `/bulk-jobs/${waiting}?reason=wrong`)).status).toBe(200);
    expect((await server.ask("GET", `/bulk-jobs/${waiting}`)).status).toBe(404);
    await server.done("POST", `/bulk-jobs/${id}/abort`);
    const { processed } = await server.inState(id, "ABORTED");
    await server.done("DELETE", `/bulk-jobs/${id}`);
    expect((await server.ask("GET", `/bulk-jobs/${id}`)).status).toBe(404);
    expect((await server.ask("DELETE", `/bulk-jobs/${id}`)).status).toBe(404);
    const kept = await server.done("GET", `/notifications?jobId=${id}`);
    expect([kept.total, kept.items[0].title]).toEqual([processed, "Hello"]);
    const rows = (await server.done("GET", "/admin/audit?limit=100")).items;
    const deleted = rows.filter((row: { action: string }) => row.action === "bulk.delete");
    expect(deleted.map((row: { reason: string | null }) => row.reason).sort()).toEqual(
      [null, "wrong"].sort(),
    );
    expect(
      rows.some((row: { action: string }) => row.action === "job.delete" || row.action === "job.cancel"),
    ).toBe(false);
    expect(await server.rows("select id from broadcast_jobs")).toEqual([]);
  });

  it("follows the operator API: cancel aborts, retry resumes, skip deletes", {}, async (server) => {
    await server.addChannels(60);
    const id = await server.makeJob(SLOW);
    await server.processed(id, 10);
    await server.done("POST", `/admin/jobs/${id}/cancel`, { body: { reason: "stop" } });
    const job = await server.inState(id, "ABORTED");
    expect(job.receipt.reason).toBe("stop");
    const ticket = async () => (await server.done("GET", `/admin/jobs/${id}`)).ticket;
    const retried = await server.done("POST", `/admin/queues/broadcast/retry/${await ticket()}`);
    expect(retried).toMatchObject({ success: true, syncEventId: id, newJobId: await ticket() });
    await server.processed(id, job.processed + 10);
    const running = await server.refused("POST", `/admin/jobs/${id}/skip`, { body: { reason: "x" } });
    expect(running.error).toBe("BULK_STATE");
    await server.done("POST", `/admin/jobs/${id}/cancel`);
    await server.inState(id, "ABORTED");
    await server.done("POST", `/admin/queues/broadcast/skip/${await ticket()}`, { body: { reason: "old" } });
    expect((await server.ask("GET", `/bulk-jobs/${id}`)).status).toBe(404);
    const other = await server.makeJob({ category: "other" });
    await server.inState(other, "COMPLETED");
    await server.done("DELETE", `/admin/queues/broadcast/jobs/${other}?reason=done`);
    expect((await server.ask("GET", `/bulk-jobs/${other}`)).status).toBe(404);
    const rows = (await server.done("GET", "/admin/audit?limit=100")).items;
    const actions = rows.map((row: { action: string }) => row.action);
    expect(actions.filter((action: string) => action.startsWith("bulk.")).sort()).toEqual([
      "bulk.abort",
      "bulk.abort",
      "bulk.aborted",
      "bulk.aborted",
      "bulk.delete",
      "bulk.delete",
      "bulk.resume",
    ]);
    expect(actions.some((action: string) => action.startsWith("job."))).toBe(false);
  });

  it("is created once per Idempotency-Key", {}, async (server) => {
    const headers = { "idempotency-key": "k1" };
    const body = { category: "news", title: "a", body: "b" };
    const first = await server.ask("POST", "/bulk-jobs", { body, headers });
    const again = await server.ask("POST", "/bulk-jobs", { body, headers });
    expect([again.status, again.body]).toEqual([first.status, first.body]);
    expect(
      (await server.refused("POST", "/bulk-jobs", { body: { ...body, title: "c" }, headers })).error,
    ).toBe("IDEMPOTENCY_CONFLICT");
    expect((await server.done("GET", "/bulk-jobs")).total).toBe(1);
    for (const wrong of [{ chunkSize: 0 }, { chunkSize: 10_001 }, { colour: 1 }, { category: "" }])
      expect((await server.refused("POST", "/bulk-jobs", { body: { ...body, ...wrong } })).error).toBe(
        "VALIDATION_FAILED",
      );
  });

  it("has an audience to page through", {}, async (server) => {
    await server.addChannels(60);
    const id = await server.makeJob(SLOW);
    await server.processed(id, 20);
    await server.done("POST", `/bulk-jobs/${id}/abort`);
    const { processed } = await server.inState(id, "ABORTED");
    const page = await server.done("GET", `/bulk-jobs/${id}/audience?limit=100`);
    expect(page.total).toBe(60);
    expect(page.items.filter((item: { isNotified: boolean }) => item.isNotified)).toHaveLength(processed);
  });

  it("lists its notifications and recipients, also on distant pages and with some chunks excluded", {}, async (server) => {
    await server.addChannels(50);
    const id = await server.makeJob({ chunkSize: 10 });
    await server.inState(id, "COMPLETED");
    await until(async () => (await server.done("GET", `/pushes?jobId=${id}&state=SENT`)).total === 50);
    await server.site.andon.store.transaction("test", (tx) =>
      tx.query("update broadcast_chunks set push_state = 'FAILED' where first_channel in ('c0011', 'c0031')"),
    );
    const channels = async (path: string) => {
      const { total, items } = await server.done("GET", path);
      return [total, items.map((item: { channelId: string }) => item.channelId)];
    };
    const sent = all(50).filter((_, at) => Math.floor(at / 10) % 2 === 0);
    expect(await channels(`/pushes?jobId=${id}&state=SENT&limit=12&page=2`)).toEqual([
      30,
      sent.slice(12, 24),
    ]);
    expect(await channels(`/pushes?jobId=${id}&limit=15&page=3`)).toEqual([50, all(50).slice(30, 45)]);
    await server.done("DELETE", "/channels/c0050");
    expect(await channels(`/bulk-jobs/${id}/audience?limit=15&page=4`)).toEqual([50, all(50).slice(45)]);
  });

  it("accepts only one of an abort and a resume that race, or of several resumes", {}, async (server) => {
    await server.addChannels(60);
    const id = await server.makeJob(SLOW);
    await server.processed(id, 10);
    const answers = await Promise.all([
      server.ask("POST", `/bulk-jobs/${id}/abort`),
      server.ask("POST", `/bulk-jobs/${id}/resume`),
    ]);
    expect(answers[0]?.status).toBe(202);
    // If the resume is read after the job has stopped, it may be accepted: then abort the job again.
    if (answers[1]?.status === 202) {
      expect((await server.ask("POST", `/bulk-jobs/${id}/abort`)).status).toBe(202);
    } else expect(answers[1]?.status).toBe(409);
    await server.inState(id, "ABORTED");
    const again = await Promise.all([1, 2, 3].map(() => server.ask("POST", `/bulk-jobs/${id}/resume`)));
    expect(again.map(({ status }) => status).sort()).toEqual([202, 409, 409]);
  });
});

import { expect } from "vitest";
import { describeServers, type TestServer, until } from "../harness.ts";

/** A NAS that can be unreachable. */
function flakyNas() {
  const nas = { isUp: false, bad: new Set<string>(), done: [] as string[] };
  const handler = async (job: { payload: { nasPath: string } }) => {
    const path = job.payload.nasPath;
    if (!nas.isUp || nas.bad.has(path)) {
      throw Object.assign(new Error("ECONNREFUSED: NAS connection refused"), { code: "ECONNREFUSED" });
    }
    nas.done.push(path);
  };
  const queue = { mode: "serial" as const, backoff: { delay: 1 }, handler: handler as never };
  return { nas, settings: { queues: { "nas-sync": queue } } };
}

async function add(server: TestServer, ...paths: string[]): Promise<void> {
  for (const nasPath of paths) {
    await server.client().queues.add({
      queue: "nas-sync",
      payload: { nasPath },
      key: nasPath,
      name: "NAS_SYNC_UPLOAD",
    });
  }
}

const stopped = (server: TestServer) =>
  until(async () => {
    const status = await server.client().queues.status({ queue: "nas-sync" });
    return status.isPaused && status;
  });

describeServers("a queue that stops", (it) => {
  const first = flakyNas();
  it("shows why, and continues after retry and resume (case A)", first.settings, async (server) => {
    await add(server, "/a.pdf", "/b.pdf", "/c.pdf");
    await stopped(server);

    const { body: status } = await server.ask("GET", "/admin/queue/status");
    expect(status).toEqual({
      isPaused: true,
      waiting: 2,
      active: 0,
      failed: 1,
      completed: 0,
      delayed: 0,
      pausedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      pauseReason: "NAS_SYNC_FAILED",
    });

    const { body: failed } = await server.ask("GET", "/admin/queue/failed?page=1&limit=10");
    expect(failed).toEqual({
      total: 1,
      page: 1,
      limit: 10,
      items: [
        {
          jobId: expect.stringMatching(/^\d+$/),
          syncEventId: expect.stringMatching(/^[0-9a-f-]{36}$/),
          aggregateType: "JOB",
          aggregateId: "/a.pdf",
          eventType: "NAS_SYNC_UPLOAD",
          failedReason: "ECONNREFUSED: NAS connection refused",
          attemptsMade: 3,
          failedAt: expect.any(String),
          data: { nasPath: "/a.pdf" },
        },
      ],
    });

    const { jobId, syncEventId } = failed.items[0];
    const { body: detail } = await server.ask("GET", `/admin/queue/failed/${jobId}`);
    expect(detail).toMatchObject({
      jobId,
      syncEventId,
      payload: { nasPath: "/a.pdf" },
      stackTrace: expect.stringContaining("ECONNREFUSED"),
      attemptsMade: 3,
    });
    const timestamp = expect.any(String);
    expect(detail.attempts).toEqual(
      [1, 2, 3].map((attemptNumber) => ({ attemptNumber, error: "ECONNREFUSED", timestamp })),
    );
    expect(detail).not.toHaveProperty("data");

    first.nas.isUp = true;
    const { status: code, body: retried } = await server.ask("POST", `/admin/queue/retry/${jobId}`);
    expect(code).toBe(200);
    expect(retried).toMatchObject({ success: true, message: "작업이 재시도 큐에 추가되었습니다.", jobId });
    expect(retried.newJobId).not.toBe(jobId);
    expect((await server.ask("GET", `/admin/queue/failed/${jobId}`)).status).toBe(404);
    expect((await server.refused("POST", `/admin/queue/retry/${retried.newJobId}`)).error).toBe("JOB_STATE");

    const { body: resumed } = await server.ask("POST", "/admin/queue/resume");
    expect(resumed).toMatchObject({
      success: true,
      changed: true,
      message: "큐가 재개되었습니다.",
      pendingJobs: 3,
    });
    await until(async () => first.nas.done.length === 3);
    expect(first.nas.done).toEqual(["/a.pdf", "/b.pdf", "/c.pdf"]);
    first.nas.isUp = false;
    first.nas.done.length = 0;
  });

  const second = flakyNas();
  it("continues without a job that was resolved by hand (case B)", second.settings, async (server) => {
    second.nas.isUp = true;
    second.nas.bad = new Set(["/bad"]);
    second.nas.done.length = 0;
    await add(server, "/bad", "/good");
    await stopped(server);
    const { items } = await server.client().queues.failed({ queue: "nas-sync" });
    const ticket = items[0]?.jobId as string;

    for (const body of [undefined, {}, { reason: "" }, { reason: "   " }]) {
      const refused = await server.refused("POST", `/admin/queue/skip/${ticket}`, { body });
      expect([refused.status, refused.error]).toEqual([400, "VALIDATION_FAILED"]);
    }
    const { body: skipped } = await server.ask("POST", `/admin/queue/skip/${ticket}`, {
      body: { reason: "NAS에 직접 파일 복사 완료", resolvedBy: "somebody else" },
    });
    expect(skipped).toEqual({
      success: true,
      message: "작업이 수동 처리 완료로 표시되었습니다.",
      jobId: ticket,
      syncEventId: items[0]?.syncEventId,
      newStatus: "MANUALLY_RESOLVED",
    });
    const { body: event } = await server.ask("GET", `/admin/queue/events/${skipped.syncEventId}`);
    expect(event).toMatchObject({
      status: "MANUALLY_RESOLVED",
      resolvedBy: "admin",
      resolutionNote: "NAS에 직접 파일 복사 완료",
    });
    expect(
      (await server.refused("POST", `/admin/queue/skip/${ticket}`, { body: { reason: "x" } })).status,
    ).toBe(409);
    await server.client().queues.resume({ queue: "nas-sync" });
    await until(async () => second.nas.done.includes("/good"));
    expect(second.nas.done).toEqual(["/good"]);
  });

  const third = flakyNas();
  it("skips every failed job and resumes at once (case C)", third.settings, async (server) => {
    third.nas.isUp = false;
    await add(server, "/1", "/2");
    await stopped(server);
    third.nas.isUp = true;
    third.nas.bad = new Set();
    const { body } = await server.ask("POST", "/admin/queue/skip-all-and-resume", {
      body: { reason: "NAS 장애 복구 완료" },
    });
    expect(body).toEqual({
      success: true,
      skippedCount: 1,
      message: "1개의 실패 작업이 건너뛰어지고 큐가 재개되었습니다.",
      resumedAt: expect.any(String),
    });
    const status = await server.client().queues.status({ queue: "nas-sync" });
    expect([status.isPaused, status.failed]).toEqual([false, 0]);
    const again = await server.ask("POST", "/admin/queue/skip-all-and-resume", { body: { reason: "again" } });
    expect(again.body).toEqual({
      success: true,
      skippedCount: 0,
      message: "0개의 실패 작업이 건너뛰어졌습니다. 큐는 정지 상태가 아니었습니다.",
      resumedAt: expect.any(String),
    });
  });

  const fourth = flakyNas();
  it("queues every failed job again without resuming", fourth.settings, async (server) => {
    fourth.nas.isUp = false;
    await add(server, "/1");
    await stopped(server);
    const { body } = await server.ask("POST", "/admin/queue/retry-all");
    expect(body).toMatchObject({ success: true, retriedCount: 1 });
    const status = await server.client().queues.status({ queue: "nas-sync" });
    expect([status.isPaused, status.failed, status.waiting]).toEqual([true, 0, 1]);
  });
});

describeServers("pausing by hand", (it) => {
  it("reports the change in the caller's language", {}, async (server) => {
    const korean = await server.ask("POST", "/admin/queue/pause");
    expect(korean.body).toMatchObject({
      success: true,
      changed: true,
      message: "큐가 일시정지되었습니다.",
      pauseReason: "MANUAL_PAUSE",
    });
    const again = await server.ask("POST", "/admin/queue/pause", {
      body: { reason: "another" },
      headers: { "accept-language": "en" },
    });
    expect(again.body).toMatchObject({ changed: false, pauseReason: "MANUAL_PAUSE" });
    expect(again.body.message).toMatch(/already/);
    expect(again.body.pausedAt).toBe(korean.body.pausedAt);

    const resumed = await server.ask("POST", "/admin/queue/resume", {
      headers: { "accept-language": "en-GB,ko;q=0.5" },
    });
    expect(resumed.body).toMatchObject({ success: true, changed: true, unresolvedFailed: 0 });
    const { body } = await server.ask("POST", "/admin/queue/resume");
    expect(body).toMatchObject({ success: true, changed: false });
    expect(body.message).not.toBe("큐가 재개되었습니다.");
  });

  it("works the same for any queue", { queues: { mail: {} } }, async (server) => {
    const client = server.client();
    await client.queues.pause({ queue: "mail", reason: "looking" });
    expect(await client.queues.status({ queue: "mail" })).toMatchObject({
      isPaused: true,
      pauseReason: "looking",
    });
    expect((await client.queues.status({ queue: "nas-sync" })).isPaused).toBe(false);
    const { items } = await client.queues.list();
    expect(items.map((queue) => queue.queue)).toEqual(expect.arrayContaining(["mail", "nas-sync"]));
    const { items: audit } = await client.audit.list({ target: "queue:mail" });
    expect(audit[0]).toMatchObject({ actor: "admin", action: "queue.pause", reason: "looking" });
  });

  it("can require that all failures are settled before a resume", {
    queues: {
      strict: {
        mode: "serial",
        attempts: 1,
        resumeRequiresResolution: true,
        handler: (async () => {
          throw new Error("no");
        }) as never,
      },
    },
  }, async (server) => {
    const client = server.client();
    const { id } = await client.queues.add({ queue: "strict" });
    await until(async () => (await client.queues.status({ queue: "strict" })).isPaused);
    const refused = await server.refused("POST", "/admin/queues/strict/resume");
    expect([refused.status, refused.error]).toEqual([409, "RESUME_UNRESOLVED"]);
    expect(refused.details).toMatchObject({ count: 1, jobs: [id] });
  });
});

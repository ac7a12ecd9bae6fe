import { type RedisServer, startRedis, until } from "@andon/testkit";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TestServer } from "../harness.ts";
import { workedQueue } from "./worked-queue.ts";

let redis: RedisServer;
let server: TestServer;
let line: ReturnType<typeof workedQueue>;

const BASE = "/admin/queues/mails";
const english = { headers: { "accept-language": "en" } };

beforeAll(async () => {
  redis = await startRedis();
  line = workedQueue("mails", redis.url);
  server = await TestServer.start("sqlite", {
    redisUrl: redis.url,
    bullmq: { queues: { mails: {} } },
  });
});
afterAll(async () => {
  await server.close();
  await line.close();
  await redis.stop();
});

const status = () => server.done("GET", `${BASE}/status`);
const untilStopped = () => until(async () => (await status()).isPaused);

/** The newest row of the audit log. */
const lastAudit = async () => (await server.done("GET", "/admin/audit?limit=1")).items[0];

test("a stop, its alert, the failed job and the decision use the same routes as any queue", async () => {
  await line.add("job-1");
  await line.add("job-2", { fail: true, nasPath: "/a" });
  await untilStopped();
  await line.add("job-3");

  const stopped = await status();
  expect(stopped).toMatchObject({ isPaused: true, failed: 1, waiting: 1, pauseReason: "MAIL_FAILED" });
  const overview = await server.done("GET", BASE);
  expect(overview).toMatchObject({
    state: "stopped",
    pausedBy: "system",
    failedJobId: "job-2",
    bullmq: { failedReason: "ECONNREFUSED: NAS connection refused", problem: null },
  });
  const listed = (await server.done("GET", "/admin/queues")).items;
  expect(listed.find(({ queue }: { queue: string }) => queue === "mails")).toEqual(overview);
  expect(listed.find(({ queue }: { queue: string }) => queue === "nas-sync").bullmq).toBeNull();

  const alert = await until(async () => (await server.done("GET", "/admin/alerts")).items[0]);
  expect(alert).toMatchObject({
    type: "MAIL_FAILED_QUEUE_PAUSED",
    severity: "CRITICAL",
    resolvedAt: null,
    details: {
      jobId: "job-2",
      syncEventId: "event-job-2",
      queue: "mails",
      pendingJobCount: expect.any(Number),
    },
  });
  expect(await lastAudit()).toMatchObject({ action: "queue.stop", target: "queue:mails", actor: "system" });

  const failed = await server.done("GET", `${BASE}/failed`);
  expect(failed).toMatchObject({ total: 1, items: [{ jobId: "job-2", data: { nasPath: "/a" } }] });
  const detail = await server.done("GET", `${BASE}/failed/job-2`);
  expect(detail).toMatchObject({ attempts: [{ attemptNumber: 1 }], stackTrace: expect.any(String) });

  expect(await server.refused("POST", `${BASE}/skip/job-2`, { body: { reason: " " } })).toMatchObject({
    status: 400,
    error: "VALIDATION_FAILED",
  });
  expect(await server.done("POST", `${BASE}/skip/job-2`, { body: { reason: "직접 발송함" } })).toEqual({
    success: true,
    message: "작업이 수동 처리 완료로 표시되었습니다.",
    jobId: "job-2",
    syncEventId: "event-job-2",
    newStatus: "MANUALLY_RESOLVED",
  });
  expect(await lastAudit()).toMatchObject({
    action: "job.skip",
    target: "job:mails/job-2",
    reason: "직접 발송함",
  });
  expect(await server.done("GET", `${BASE}/events/job-2`)).toMatchObject({
    status: "MANUALLY_RESOLVED",
    resolutionNote: "직접 발송함",
  });
  expect(await server.refused("POST", `${BASE}/retry/job-2`, english)).toMatchObject({
    status: 409,
    error: "JOB_STATE",
  });

  const resumed = await server.done("POST", `${BASE}/resume`, { body: { reason: "done" } });
  expect(resumed).toMatchObject({ changed: true, unresolvedFailed: 0, message: "큐가 재개되었습니다." });
  expect(await lastAudit()).toMatchObject({ action: "queue.resume", reason: "done" });
  expect(await server.done("POST", `${BASE}/resume`)).toMatchObject({ changed: false });
  await until(async () => (await status()).waiting === 0);
  await until(async () => (await server.done("GET", "/admin/alerts")).items[0].resolvedAt !== null);
  expect((await server.done("GET", "/admin/alerts")).total).toBe(1);
});

test("retry, retry-all, skip-all-and-resume and pause are written to the audit log", async () => {
  const paused = await server.done("POST", `${BASE}/pause`, { body: { reason: "점검" } });
  expect(paused).toMatchObject({ changed: true, pauseReason: "점검", message: "큐가 일시정지되었습니다." });
  expect(await lastAudit()).toMatchObject({ action: "queue.pause", before: { state: "open" } });
  expect(await server.done("POST", `${BASE}/pause`)).toMatchObject({ changed: false, pauseReason: "점검" });
  await line.add("job-10", { fail: true });
  await server.done("POST", `${BASE}/resume`);
  await untilStopped();

  expect(await server.done("POST", `${BASE}/retry/job-10`)).toMatchObject({
    jobId: "job-10",
    newJobId: "job-10",
  });
  expect(await lastAudit()).toMatchObject({ action: "job.retry", target: "job:mails/job-10" });
  await server.done("POST", `${BASE}/resume`);
  await until(async () => (await status()).failed === 1);
  expect(await server.done("POST", `${BASE}/retry-all`)).toMatchObject({ retriedCount: 1 });
  expect(await lastAudit()).toMatchObject({ action: "queue.retry-all", after: { retried: 1 } });
  await server.done("POST", `${BASE}/resume`);
  await until(async () => (await status()).failed === 1);
  const skipped = await server.done("POST", `${BASE}/skip-all-and-resume`, { body: { reason: "복구됨" } });
  expect(skipped).toMatchObject({ skippedCount: 1, resumedAt: expect.any(String) });
  expect(await lastAudit()).toMatchObject({ action: "queue.skip-all-and-resume", after: { skipped: 1 } });
  expect(await status()).toMatchObject({ isPaused: false, failed: 0 });
});

test("routes that BullMQ cannot serve are refused with BULLMQ_NOT_OFFERED", async () => {
  for (const [method, path, body] of [
    ["GET", `${BASE}/history`, undefined],
    ["POST", `${BASE}/rehearse`, undefined],
    ["GET", `${BASE}/lanes`, undefined],
    ["POST", `${BASE}/jobs`, {}],
    ["POST", `${BASE}/resume`, { ramp: true }],
  ] as const) {
    const problem = await server.refused(method, path, { ...english, ...(body && { body }) });
    expect(problem, path).toMatchObject({ status: 409, error: "BULLMQ_NOT_OFFERED" });
    expect(problem.message).toBe("BullMQ runs the queue mails: this is not available for it.");
  }
});

test("keys need the same permissions, and keys with a scope are refused", async () => {
  const scoped = await server.key(["queue.read", "queue.operate"], { tenantId: "acme" });
  expect(await server.refused("GET", `${BASE}/status`, { token: scoped })).toMatchObject({
    error: "SCOPE_TOO_NARROW",
  });
  expect(await server.refused("POST", `${BASE}/retry/job-1`, { token: scoped })).toMatchObject({
    error: "SCOPE_TOO_NARROW",
  });
  const { items } = await server.done("GET", "/admin/queues", { token: scoped });
  expect(items.map(({ queue }: { queue: string }) => queue)).not.toContain("mails");
  const reader = await server.key(["queue.read"]);
  await server.done("GET", `${BASE}/status`, { token: reader });
  expect(await server.refused("POST", `${BASE}/pause`, { token: reader })).toMatchObject({
    status: 403,
    error: "FORBIDDEN",
  });
  expect((await server.refused("GET", `${BASE}/status`, { token: null })).status).toBe(401);
});

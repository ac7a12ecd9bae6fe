import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { Queue } from "@andon/engine";
import { settingsOf } from "@andon/server";
import { studioApp } from "@andon/studio";
import { expect, vi } from "vitest";
import { forgetPurgedTasks } from "../src/tasks/forget-task.ts";
import { mergeTallies, tally } from "../src/tasks/task-tally.ts";
import { describeStudio, idle, png, type StudioServer, until } from "./harness.ts";

const COLUMNS = [
  "task_id",
  "type",
  "status",
  "user_id",
  "priority",
  "created_at",
  "started_at",
  "completed_at",
  "elapsed_time",
  "retry_count",
  "max_retries",
  "error",
  "metadata",
  "logs",
];
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An executor that fails once for each error in this list. */
function failing(errors: string[]) {
  return async () => {
    const message = errors.shift();
    if (message !== undefined) throw new Error(message);
    return {};
  };
}

/** An executor that waits until the test releases it, and records its calls. */
function gated() {
  const started: string[] = [];
  const waiting = new Map<string, () => void>();
  const seen = { most: 0, now: 0, aborted: 0 };
  return {
    started,
    seen,
    release: (title: string) => waiting.get(title)?.(),
    executor: async ({ task, signal }: { task: { title: string }; signal: AbortSignal }) => {
      started.push(task.title);
      seen.most = Math.max(seen.most, ++seen.now);
      try {
        await new Promise<void>((resolve, reject) => {
          waiting.set(task.title, resolve);
          signal.addEventListener("abort", () => {
            seen.aborted++;
            reject(signal.reason);
          });
        });
      } finally {
        seen.now--;
      }
      return {};
    },
  };
}

/** Rejects when the signal aborts. */
function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
}

const opened = { recursive: true } as const;

/** Sends one image and the beginning of another. The second element of the result sends the rest. */
async function slowUpload(server: StudioServer, id: string): Promise<[Promise<Response>, () => void]> {
  const head = '--B\r\nContent-Disposition: form-data; name="images"; filename="a.png"\r\n\r\n';
  let rest = () => {};
  const body = new ReadableStream({
    start(stream) {
      stream.enqueue(Buffer.concat([Buffer.from(head), png(), Buffer.from(`\r\n${head}`)]));
      rest = () => {
        stream.enqueue(Buffer.concat([png(), Buffer.from("\r\n--B--\r\n")]));
        stream.close();
      };
    },
  });
  const answer = fetch(new URL(`/tasks/${id}/images`, server.url), {
    method: "POST",
    headers: {
      authorization: `Bearer ${server.adminToken}`,
      "content-type": "multipart/form-data; boundary=B",
    },
    body,
    duplex: "half",
  } as RequestInit);
  return [answer, rest];
}

const rowOf = async (server: StudioServer, id: string) =>
  (await server.rows("select * from task_queue where task_id = $1", [id]))[0] as Record<string, unknown>;

/** For tests that count only their own tasks, and so can share a server. */
const PLAIN = { app: idle(), isShared: true } as const;

describeStudio("tasks", (it, store) => {
  it("task_queue has one row per task with the columns of the seed", PLAIN, async (server) => {
    const id = await server.makeTask({
      userId: "kim",
      images: undefined,
      imageSource: "upload",
      priority: 3,
    });
    await server.parked(id);
    const waiting = await rowOf(server, id);
    expect(Object.keys(waiting)).toEqual(COLUMNS);
    expect(waiting).toMatchObject({
      task_id: id,
      type: "image",
      status: "waiting",
      user_id: "kim",
      started_at: null,
      completed_at: null,
      error: null,
    });
    expect([waiting.priority, waiting.retry_count, waiting.max_retries].map(Number)).toEqual([3, 0, 3]);
    expect(waiting.created_at).toMatch(ISO);
    await server.upload(id, png());
    await server.reaches(id, "youtube/completed");
    const done = await rowOf(server, id);
    expect(done).toMatchObject({
      type: "youtube",
      status: "completed",
      started_at: expect.stringMatching(ISO),
    });
    expect(done.completed_at).toMatch(ISO);
    expect(Number(done.elapsed_time)).toBeGreaterThanOrEqual(0);
    expect(Object.keys(JSON.parse(String(done.metadata))).sort()).toEqual(
      ["schedule", "script", "image", "video", "youtube"].sort(),
    );
    expect(JSON.parse(String(done.logs)).length).toBeGreaterThan(4);
    for (const table of ["task_queue", "task_schedule", "task"])
      expect(await server.rows(`select task_id from ${table} where task_id = $1`, [id])).toHaveLength(1);
  });

  it("a task for later waits in the phase schedule and delays no other task", PLAIN, async (server) => {
    const token = await server.key(["tasks.read", "tasks.write"], { tenantId: "later" });
    const soon = { title: "later", scheduledTime: "2999-01-01T00:00:00Z", priority: 9 };
    const later = await server.makeTask(soon, token);
    const now = await server.makeTask({ title: "now", imageSource: "upload" }, token);
    await server.parked(now);
    expect(await server.task(later)).toMatchObject({ type: "schedule", status: "waiting", startedAt: null });
    expect((await server.done("GET", "/tasks/counts", { token })).scheduled).toBe(1);
    const { items } = await server.done("GET", "/tasks?tab=scheduled", { token });
    expect(items).toMatchObject([
      { taskId: later, type: "schedule", scheduledTime: "2999-01-01T00:00:00.000Z" },
    ]);
    expect((await server.done("GET", "/tasks?text=LATE", { token })).items).toMatchObject([
      { taskId: later },
    ]);
    expect((await server.done("GET", "/tasks?text=never", { token })).total).toBe(0);
    await server.done("POST", `/tasks/${later}/cancel`, { body: { reason: "not needed" } });
    expect((await server.task(later)).status).toBe("cancelled");
    expect((await server.done("GET", "/tasks?tab=cancelled", { token })).items).toMatchObject([
      { taskId: later },
    ]);
    expect(await server.done("GET", "/tasks/counts", { token })).toEqual({
      scheduled: 0,
      script: 0,
      image: 1,
      video: 0,
      youtube: 0,
      failed: 0,
      completed: 0,
    });
  });

  const gate = gated();
  it("a phase takes one task at a time, by priority and then age", {
    app: idle({ script: gate.executor }),
  }, async (server) => {
    gate.started.length = 0;
    gate.seen.most = 0;
    const first = await server.makeTask({ title: "first" });
    await server.reaches(first, "script/processing");
    for (const [title, priority] of [
      ["old", 0],
      ["young", 0],
      ["urgent", 5],
    ] as const)
      await server.makeTask({ title, priority });
    await until(async () => (await server.done("GET", "/tasks/counts")).script === 4);
    for (const [at, title] of ["first", "urgent", "old", "young"].entries()) {
      await until(async () => gate.started.length === at + 1);
      expect(gate.started[at]).toBe(title);
      gate.release(title);
    }
    await until(async () => (await server.done("GET", "/tasks/counts")).image === 4);
    expect(gate.seen.most).toBe(1);
  });

  it("a failure keeps its phase, and may be retried three times", {
    app: idle({ script: failing(["one", "two", "three", "four", "five"]) }),
  }, async (server) => {
    const id = await server.makeTask();
    const failed = await server.reaches(id, "script/failed");
    expect(failed).toMatchObject({ error: "one", retryCount: 0, maxRetries: 3 });
    for (const [at, error] of ["two", "three", "four"].entries()) {
      const answer = await server.done("POST", `/tasks/${id}/retry`, { body: { reason: "again" } });
      expect(answer).toMatchObject({ taskId: id, type: "script", retryCount: at + 1 });
      await until(async () => (await server.task(id)).error === error);
    }
    const used = await server.refused("POST", `/tasks/${id}/retry`);
    expect([used.status, used.error]).toEqual([409, "TASK_RETRIES"]);
    const ticket = (await server.site.andon.job(id))?.ticket;
    expect((await server.refused("POST", `/admin/queues/studio/retry/${ticket}`)).error).toBe("TASK_RETRIES");
    const writer = await server.key(["tasks.read", "tasks.write"]);
    const forced = await server.refused("POST", `/tasks/${id}/retry`, {
      body: { force: true },
      token: writer,
    });
    expect([forced.status, forced.error]).toEqual([403, "FORBIDDEN"]);
    expect(await server.done("GET", "/tasks/counts")).toMatchObject({ failed: 1 });
    await server.done("POST", `/tasks/${id}/retry`, { body: { force: true } });
    await until(async () => (await server.task(id)).error === "five");
    await server.done("POST", `/tasks/${id}/retry`, { body: { force: true } });
    await server.parked(id);
    expect(await server.task(id)).toMatchObject({ type: "image", retryCount: 0, error: null });
    const { items } = await server.done("GET", "/admin/audit?limit=100");
    const actions = items.map((row: { action: string }) => row.action);
    expect(actions.filter((action: string) => action === "task.retry")).toHaveLength(5);
    expect(actions).not.toContain("job.retry");
    const { items: alerts } = await server.done("GET", "/admin/alerts");
    expect(alerts).toMatchObject(Array(alerts.length).fill({ type: "TASK_FAILED", severity: "WARNING" }));
    expect(alerts.length).toBeGreaterThan(0);
  });

  const held = gated();
  it("a cancel is final from waiting, processing and failed", {
    app: idle({ script: held.executor, video: failing(["broken", "broken"]) }),
  }, async (server) => {
    held.seen.aborted = 0;
    const running = await server.makeTask({ title: "running" });
    await server.reaches(running, "script/processing");
    const waiting = await server.makeTask({ title: "waiting" });
    await server.reaches(waiting, "script/waiting");
    for (const id of [waiting, running])
      expect(await server.done("POST", `/tasks/${id}/cancel`)).toMatchObject({
        type: "script",
        status: "cancelled",
      });
    expect(held.seen.aborted).toBe(1);
    const failed = await server.makeTask({ title: "failed" });
    await server.reaches(failed, "script/processing");
    held.release("failed");
    await server.parked(failed);
    await server.upload(failed, png());
    await server.reaches(failed, "video/failed");
    expect(
      (await server.refused("POST", `/tasks/${failed}/images`, { body: { urls: ["http://a.example/b"] } }))
        .error,
    ).toBe("TASK_STATE");
    expect(await server.done("POST", `/tasks/${failed}/cancel`)).toMatchObject({
      type: "video",
      status: "cancelled",
    });
    for (const id of [waiting, running, failed])
      for (const action of ["retry", "cancel"])
        expect((await server.refused("POST", `/tasks/${id}/${action}`)).error).toBe("TASK_STATE");
    const { items } = await server.done("GET", "/admin/audit?limit=100");
    const cancels = items.filter((row: { action: string }) => row.action.endsWith(".cancel"));
    expect(cancels.map((row: { action: string }) => row.action)).toEqual(Array(3).fill("task.cancel"));
    // Uploads stay until the task is deleted.
    const folder = join(server.data, "studio", "tasks", failed);
    expect(readdirSync(folder, { recursive: true }).some((name) => String(name).endsWith(".png"))).toBe(true);
    await server.done("DELETE", `/tasks/${failed}?reason=done`);
    expect((await server.refused("GET", `/tasks/${failed}`)).error).toBe("TASK_NOT_FOUND");
    await until(async () => !existsSync(folder));
  });

  it("a task whose wait for images expired goes on after an upload and a retry", {
    app: idle(),
    studio: { imageWait: "1s" },
  }, async (server) => {
    const id = await server.makeTask({ title: "late" });
    const other = await server.makeTask({ title: "other", imageSource: "upload" });
    await server.parked(other);
    await server.upload(other, png());
    await server.reaches(other, "youtube/completed");
    const expired = await server.reaches(id, "image/failed");
    expect(expired.errorCode).toBe("PARK_EXPIRED");
    // Waiting is not work.
    expect(expired.elapsedTime).toBe(0);
    await server.upload(id, png());
    await server.done("POST", `/tasks/${id}/retry`);
    await server.reaches(id, "youtube/completed");
    const late = await server.upload(id, png());
    expect([late.status, late.body.error]).toEqual([409, "TASK_STATE"]);
  });

  it("a cancel can be undone for a while if the settings allow it, and then takes effect as usual", {
    app: idle({ script: failing(Array(9).fill("broken")) }),
    settings: { decisions: { undoWindow: "1s" } },
  }, async (server) => {
    const failed = await server.makeTask({ title: "failed" });
    await server.reaches(failed, "script/failed");
    const later = await server.makeTask({ scheduledTime: "2999-01-01T00:00:00Z" });
    const cancel = async (id: string) => {
      const { status, body } = await server.ask("POST", `/tasks/${id}/cancel`);
      expect(status).toBe(202);
      const { pendingDecision, ...task } = body;
      const shown = await server.task(id);
      expect(shown).toMatchObject({ ...task, pendingDecision: { id: pendingDecision.id } });
      return pendingDecision.id;
    };
    for (const id of [failed, later]) {
      await server.done("POST", `/admin/decisions/${await cancel(id)}/undo`);
      expect((await server.task(id)).pendingDecision).toBeUndefined();
    }
    await cancel(failed);
    const other = await server.ask("POST", `/admin/jobs/${later}/cancel`);
    expect([other.status, other.body.pendingDecision.action]).toEqual([202, "cancel"]);
    for (const id of [failed, later]) await until(async () => (await server.task(id)).status === "cancelled");
    const { items } = await server.done("GET", "/admin/audit?limit=100");
    const actions = items.map((row: { action: string }) => row.action);
    expect(actions.filter((action: string) => action === "task.cancel")).toHaveLength(2);
    expect(actions.filter((action: string) => action === "task.cancel-held-back")).toHaveLength(4);
  });

  it("a waiting task can be deleted, a processing one cannot", {
    app: idle({ script: async ({ task, signal }) => task.title !== "busy" || aborted(signal) }),
  }, async (server) => {
    const parked = await server.makeTask({ title: "parked" });
    await server.parked(parked);
    await server.upload(parked, Buffer.from("no image"));
    const later = await server.makeTask({ scheduledTime: "2999-01-01T00:00:00Z" });
    await server.upload(later, png());
    const busy = await server.makeTask({ title: "busy" });
    await server.reaches(busy, "script/processing");
    expect((await server.refused("DELETE", `/tasks/${busy}`)).error).toBe("TASK_STATE");
    for (const id of [parked, later]) await server.done("DELETE", `/tasks/${id}`);
    expect((await server.done("GET", "/tasks")).items).toMatchObject([{ taskId: busy }]);
    await until(async () => !existsSync(join(server.data, "studio", "tasks", later)));
    const { items } = await server.done("GET", "/admin/audit?limit=100");
    const actions = items.map((row: { action: string }) => row.action);
    expect(actions.filter((action: string) => action === "task.delete")).toHaveLength(2);
    // An upload in progress leaves no files if its task is deleted meanwhile.
    const gone = await server.makeTask({ scheduledTime: "2999-01-01T00:00:00Z" });
    const folder = join(server.data, "studio", "tasks", gone);
    const [first, rest] = await slowUpload(server, gone);
    await until(async () => existsSync(join(folder, "uploads")) && readdirSync(folder, opened).length > 1);
    await server.done("DELETE", `/tasks/${gone}`);
    rest();
    expect((await first).status).toBe(404);
    await until(async () => !existsSync(folder));
    // A closing server waits for running work.
    await server.done("POST", `/tasks/${busy}/cancel`);
  });

  it("the operator routes of the queue follow the rules of tasks", {
    app: idle({ script: failing(Array(9).fill("broken")) }),
    studio: { maxRetries: 1 },
  }, async (server) => {
    const id = await server.makeTask();
    await server.reaches(id, "script/failed");
    const ticket = async () => (await server.site.andon.job(id))?.ticket;
    const old = await ticket();
    await server.done("POST", `/admin/queues/studio/retry/${old}`);
    await until(async () => (await ticket()) !== old && (await server.task(id)).status === "failed");
    expect(await server.task(id)).toMatchObject({ retryCount: 1, type: "script" });
    // Its retries are used up, so it is skipped.
    expect(await server.done("POST", "/admin/queues/studio/retry-all")).toMatchObject({ retriedCount: 0 });
    expect(await server.task(id)).toMatchObject({ retryCount: 1, status: "failed" });
    const causes = await server.done("GET", "/admin/queues/studio/fingerprints");
    expect(causes.items[0].remedies).toMatchObject({ retried: 1, worked: 0, failedAgain: 1 });
    const shown = await server.done("GET", `/admin/queues/studio/failed/${await ticket()}`);
    expect(shown).toMatchObject({ stage: "script", stages: [{ name: "schedule" }, { name: "script" }] });
    await server.done("POST", `/admin/queues/studio/skip/${await ticket()}`, { body: { reason: "no use" } });
    expect((await server.task(id)).status).toBe("cancelled");
    const later = await server.makeTask({ scheduledTime: "2999-01-01T00:00:00Z" });
    await server.done("POST", `/admin/jobs/${later}/cancel`);
    expect((await server.task(later)).status).toBe("cancelled");
    const { items } = await server.done("GET", "/admin/audit?limit=100");
    const actions = items.map((row: { action: string }) => row.action);
    expect(actions.filter((action: string) => /^(task|job)\./.test(action))).toEqual([
      "task.cancel",
      "task.cancel",
      "task.retry",
    ]);
    expect((await server.done("GET", "/admin/queues/studio/status")).isPaused).toBe(false);
  });

  it("images that are uploaded before the image phase are not lost", PLAIN, async (server) => {
    const at = new Date(Date.now() + 1_500).toISOString();
    const id = await server.makeTask({ title: "early", scheduledTime: at });
    expect((await server.upload(id, png(), png())).status).toBe(201);
    await server.reaches(id, "youtube/completed");
  });

  it("an upload that is not an image changes nothing", {
    app: idle(),
    studio: { images: { largest: 1_000 } },
  }, async (server) => {
    const id = await server.makeTask();
    await server.parked(id);
    const text = await server.upload(id, png(8, 8), Buffer.from("<svg xmlns='http://www.w3.org/2000/svg'/>"));
    expect([text.status, text.body.error]).toEqual([415, "TASK_IMAGE_TYPE"]);
    const large = await server.upload(id, Buffer.concat([png(8, 8), Buffer.alloc(2_000)]));
    expect([large.status, large.body.error]).toEqual([413, "TASK_IMAGE_TOO_LARGE"]);
    const bomb = png(8, 8);
    bomb.writeUInt32BE(60_000, 16);
    bomb.writeUInt32BE(60_000, 20);
    expect((await server.upload(id, bomb)).body.error).toBe("TASK_IMAGE_TOO_LARGE");
    const none = await server.ask("POST", `/tasks/${id}/images`, { body: new FormData() });
    expect(none.status).toBe(400);
    expect(await server.task(id)).toMatchObject({ type: "image", status: "waiting", images: [] });
    // The files stored before the refused one are removed too.
    expect(existsSync(join(server.data, "studio", "tasks"))).toBe(false);
  });

  it("a time-out ends the work and sets the error TIMEOUT", {
    app: idle({ script: gated().executor }),
    studio: { phaseTimeout: "1s" },
  }, async (server) => {
    const id = await server.makeTask();
    const task = await server.reaches(id, "script/failed");
    expect([task.error, task.errorCode]).toEqual(["Timeout: script took longer than 1 second", "TIMEOUT"]);
    const inKorean = await server.done("GET", `/tasks/${id}`, { headers: { "accept-language": "ko" } });
    expect(inKorean.error).toBe("Timeout: script 작업이 1초를 초과했습니다");
    expect((await rowOf(server, id)).error).toBe("Timeout: script 작업이 1초를 초과했습니다");
  });

  it("the log is in the reader's language, and lines without a code keep their text", {
    app: idle({
      video: async ({ log }) => {
        await log({ en: "Half done.", ko: "절반 완료." });
        await log("plain", "warning");
        throw new Error("no space left");
      },
    }),
  }, async (server) => {
    const id = await server.makeTask({ userId: "kim" });
    await server.parked(id);
    await server.upload(id, png());
    await server.reaches(id, "video/failed");
    await server.done("POST", `/tasks/${id}/cancel`, { body: { reason: "\u6f22 disk" } });
    await server.site.andon.transaction((tx) =>
      tx.query(
        "insert into task_log (task_id, id, at, level, message) values ($1, '0', 1, 'info', 'old line')",
        [id],
      ),
    );
    const logsIn = async (language: string) => {
      const { logs } = await server.done("GET", `/tasks/${id}`, { headers: { "accept-language": language } });
      return logs.map(({ message }: { message: string }) => message.replace(/[\d.]+(?= ?(s|초))/, "0"));
    };
    expect(await logsIn("en")).toEqual([
      "old line",
      "Created by kim.",
      "Completed in 0 s; next: Script.",
      "Completed in 0 s; next: Images.",
      "Waiting for images.",
      "Images added: 1.",
      "Completed in 0 s; next: Video.",
      "Half done.",
      "plain",
      "no space left",
      "Cancelled by admin: \u6f22 disk",
    ]);
    expect(await logsIn("ko")).toEqual([
      "old line",
      "kim이 만들었습니다.",
      "0초 만에 완료했습니다. 다음 단계: 대본.",
      "0초 만에 완료했습니다. 다음 단계: 이미지.",
      "이미지를 기다립니다.",
      "이미지 1개가 추가되었습니다.",
      "0초 만에 완료했습니다. 다음 단계: 영상.",
      "절반 완료.",
      "plain",
      "no space left",
      "admin이 취소했습니다. 사유: \u6f22 disk",
    ]);
    const codes = (await server.task(id)).logs.map(({ code }: { code: string | null }) => code);
    expect(codes.slice(0, 3)).toEqual([null, "CREATED", "PHASE_COMPLETED"]);
  });

  it("the list of phases in the settings defines the pipeline", {
    app: { executors: { review: async () => ({ ok: true }) } },
    studio: { phases: ["schedule", "script", { name: "check", executor: "review", concurrency: 2 }] },
  }, async (server) => {
    const id = await server.makeTask();
    const task = await server.reaches(id, "check/completed");
    expect(task.allPhases).toEqual(["schedule", "script", "check"]);
    expect(task.metadata.check).toEqual({ ok: true });
    expect(await server.done("GET", "/tasks/counts")).toMatchObject({ check: 0, completed: 1 });
    expect((await server.done("GET", "/tasks?tab=check")).total).toBe(0);
    expect((await server.refused("GET", "/tasks?tab=nonsense")).error).toBe("VALIDATION_FAILED");
    for (const [studio, problem] of [
      [{ phases: ["script", "script"] }, /studio\.phases is a list; allowed: each phase once/],
      [{ phases: [{ name: "failed", executor: "script" }] }, /studio\.phases\.0\.name is "failed"; allowed/],
      [{ phase: [] }, /studio\.phase is not a known key. Did you mean "phases"/],
      [{ youtube: { refreshToken: 4711 } }, /refreshToken is (?!.*4711)/],
    ] as const)
      expect(() => settingsOf({ apps: [studioApp() as never], studio })).toThrow(problem);
  });

  it("keys see and change only what is in their scope", PLAIN, async (server) => {
    const keyOf = (tenantId: string, organizationId?: string) =>
      server.key(["tasks.read", "tasks.write"], { tenantId, ...(organizationId ? { organizationId } : {}) });
    const [a, b, a1, a2] = [await keyOf("a"), await keyOf("b"), await keyOf("a", "1"), await keyOf("a", "2")];
    const id = await server.makeTask({ title: "mine" }, a1);
    await until(async () => (await server.done("GET", `/tasks/${id}`, { token: a1 })).waitsFor !== null);
    for (const token of [b, a2]) {
      for (const [method, path] of [
        ["GET", `/tasks/${id}`],
        ["GET", `/tasks/${id}/video`],
        ["GET", `/tasks/${id}/images/1`],
        ["POST", `/tasks/${id}/cancel`],
        ["POST", `/tasks/${id}/retry`],
        ["DELETE", `/tasks/${id}`],
      ] as const) {
        const { status, error } = await server.refused(method, path, { token });
        expect([method, path, status, error]).toEqual([method, path, 404, "TASK_NOT_FOUND"]);
      }
      const urls = { urls: ["http://example.com/a.png"] };
      expect((await server.refused("POST", `/tasks/${id}/images`, { token, body: urls })).status).toBe(404);
      expect((await server.done("GET", "/tasks", { token })).total).toBe(0);
      expect((await server.done("GET", "/tasks/counts", { token })).image).toBe(0);
    }
    expect((await server.done("GET", "/tasks?tab=image", { token: a })).items).toMatchObject([
      { taskId: id },
    ]);
    expect((await server.done("POST", `/tasks/${id}/cancel`, { token: a })).status).toBe("cancelled");
  });

  it("requests with one idempotency key create one task", PLAIN, async (server) => {
    const headers = { "idempotency-key": "k1" };
    const body = { title: "once" };
    const first = await server.ask("POST", "/tasks", { body, headers });
    const again = await server.ask("POST", "/tasks", { body, headers });
    expect([first.status, again.status, again.body]).toEqual([201, 201, first.body]);
    expect(first.body).toEqual({ taskId: expect.any(String), type: "schedule", status: "waiting" });
    const other = await server.ask("POST", "/tasks", { body: { title: "other" }, headers });
    expect(other.status).toBe(409);
    for (const bad of [
      {},
      { title: " " },
      { title: "x", priority: 1.5 },
      { title: "x", unknown: 1 },
      { title: "x", images: ["ftp://a"] },
      { title: "x", images: ["http://a/\u0000"] },
    ])
      expect((await server.refused("POST", "/tasks", { body: bad })).error).toBe("VALIDATION_FAILED");
    expect(await server.rows("select task_id from task where title = 'once'")).toHaveLength(1);
    const spoken = await server.makeTask({ title: "Spring", script: "봄입니다.", images: [] });
    expect(await server.task(spoken)).toMatchObject({ language: "ko", images: [] });
  });

  it("ended tasks and their files are deleted after studio.keep, failed ones stay", {
    app: idle({ script: failing(["broken"]) }),
    studio: { keep: 0 },
  }, async (server) => {
    const failed = await server.makeTask({ title: "failed" });
    await server.reaches(failed, "script/failed");
    const done = await server.makeTask({ title: "done" });
    await server.parked(done);
    await server.upload(done, png());
    await server.reaches(done, "youtube/completed");
    await server.done("POST", "/admin/queues/studio/purge");
    expect((await server.refused("GET", `/tasks/${done}`)).error).toBe("TASK_NOT_FOUND");
    expect((await server.done("GET", "/tasks")).items).toMatchObject([{ taskId: failed }]);
    const { andon, queues } = server.site;
    const queue = (name: string) => queues.get(name)?.queue as Queue<unknown>;
    await forgetPurgedTasks({ queue }, andon.store);
    expect(await server.rows("select task_id from task")).toEqual([{ task_id: failed }]);
    for (const table of ["task_log", "task_image", "task_schedule"])
      expect(await server.rows(`select 1 from ${table} where task_id = $1`, [done])).toEqual([]);
    await until(async () => !existsSync(join(server.data, "studio", "tasks", done)));
    await mergeTallies(andon.store);
    expect(await server.rows("select type, state from task_tally")).toEqual([
      { type: "script", state: "failed" },
    ]);
    expect(await server.done("GET", "/tasks/counts")).toMatchObject({ failed: 1, completed: 0 });
  });

  it("a page of a tab is read along an index, and a search sees the newest tasks", PLAIN, async (server) => {
    await server.site.andon.transaction(async (tx) => {
      await tx.query(
        `insert into task (task_id, tenant_id, user_id, title, language, image_source, speech, priority, type, state, retry_count,
           max_retries, images_changed, scheduled_time, created_at)
         with recursive n (i) as (select 1 union all select i + 1 from n where i < 10500)
         select 'x' || i, 'many', 'kim', 'title', 'ko', 'upload', 0, 0, 'video', 'failed', 0, 3, 0, i, i from n`,
      );
      const failed = { tenantId: "many", organizationId: null, type: "video", state: "failed" } as const;
      await tally(tx, failed, 10_500, 1);
    });
    // As autovacuum does in production.
    if (store === "postgres") await server.site.andon.transaction((tx) => tx.query("analyze task"));
    const token = await server.key(["tasks.read"], { tenantId: "many" });
    const { total, more } = await server.done("GET", "/tasks?tab=failed&limit=1", { token });
    expect([total, more]).toEqual([10_500, undefined]);
    const found = await server.done("GET", "/tasks?text=TITLE&limit=1", { token });
    expect([found.total, found.more]).toEqual([10_000, true]);
    const scan = vi.spyOn(server.site.andon.store, "scan");
    for (const scope of [{}, { tenantId: "many" }, { tenantId: "many", organizationId: "1" }]) {
      const token = await server.key(["tasks.read"], scope);
      for (const tab of ["", "?tab=image", "?tab=failed"])
        await server.done("GET", `/tasks${tab}`, { token });
    }
    const lists = scan.mock.calls.filter(([text]) => text.includes("order by t.scheduled_time"));
    scan.mockRestore();
    expect(lists).toHaveLength(9);
    const explain = store === "sqlite" ? "explain query plan" : "explain";
    for (const [text, params] of lists) {
      const plan = JSON.stringify(await server.rows(`${explain} ${text}`, params));
      expect(plan).toMatch(/using (covering )?index task_|index scan backward using task_/i);
      expect(plan).not.toMatch(/sort|temp b-tree/i);
    }
  });
});

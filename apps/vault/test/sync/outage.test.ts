import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { expect, vi } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky, type FlakyVault } from "./flaky-vault.ts";

async function uploadMany({ server }: FlakyVault, count: number): Promise<string[]> {
  const names = Array.from({ length: count }, (_, index) => `f${String(index).padStart(2, "0")}`);
  const uploaded = await Promise.all(names.map((name) => server.upload({ name, bytes: name })));
  return uploaded.map(({ fileId }) => fileId);
}

function untilStopped({ server }: FlakyVault) {
  return until(async () => {
    const status = await server.done("GET", "/admin/queue/status");
    return status.isPaused && status.active === 0 && status;
  });
}

describeFlaky("when the NAS goes away", (it) => {
  it(
    "one operation uses its attempts, the others wait without using any, and all run after a person resumes",
    async (vault) => {
      const { server, nas } = vault;
      nas.goAway("UNREACHABLE");
      await uploadMany(vault, 12);
      const status = await untilStopped(vault);
      expect(status).toMatchObject({ failed: 1, waiting: 11, pauseReason: "NAS_SYNC_FAILED" });

      const operations = await server.rows<{ status: string; retry_count: number }>(
        "select status, retry_count from file_sync_queue",
      );
      expect(operations.filter(({ status }) => status === "FAILED")).toEqual([
        { status: "FAILED", retry_count: 2 },
      ]);
      const waiting = operations.filter(({ status }) => status === "PENDING");
      expect(waiting.map(({ retry_count }) => retry_count)).toEqual(Array(11).fill(0));

      const [failed] = (await server.done("GET", "/admin/queue/failed")).items;
      expect(failed).toMatchObject({ eventType: "NAS_SYNC_UPLOAD", aggregateType: "FILE", attemptsMade: 3 });
      expect(await vault.availability(failed.aggregateId)).toBe("ERROR");
      const shown = await server.done("GET", `/admin/queue/failed/${failed.jobId}`);
      expect(shown.payload).toMatchObject({ nasPath: `/${shown.payload.fileName}`, size: 3 });

      nas.comeBack();
      await server.done("POST", `/admin/queue/retry/${failed.jobId}`);
      expect(await vault.availability(failed.aggregateId)).toBe("PENDING");
      await server.done("POST", "/admin/queue/resume");
      await server.synced();
      expect(Object.keys(vault.onNas())).toHaveLength(12);
      expect(await vault.availability(failed.aggregateId)).toBe("AVAILABLE");
    },
    { attempts: 3 },
  );

  it(
    "and comes back in time, everything continues without a person",
    async (vault) => {
      const { server, nas } = vault;
      nas.goAway("NOT_MOUNTED");
      await uploadMany(vault, 5);
      await until(
        async () => (await server.site.queues.get("nas-sync")?.queue.status())?.state === "degraded",
      );
      nas.comeBack();
      await server.synced();
      expect(Object.keys(vault.onNas())).toHaveLength(5);
      expect(await server.done("GET", "/admin/queue/status")).toMatchObject({
        isPaused: false,
        failed: 0,
        completed: 5,
      });
    },
    { attempts: 100 },
  );

  it(
    "a NAS that is full counts as unreachable too",
    async (vault) => {
      const { server, nas } = vault;
      nas.fullAfter(0);
      await uploadMany(vault, 4);
      expect(await untilStopped(vault)).toMatchObject({ failed: 1, waiting: 3 });
      nas.fullAfter(undefined);
      await server.done("POST", "/admin/queue/retry-all");
      await server.done("POST", "/admin/queue/resume");
      await server.synced();
      expect(Object.keys(vault.onNas())).toHaveLength(4);
    },
    { attempts: 2 },
  );

  it(
    "in serial mode the queue stops at the first file after three attempts",
    async (vault) => {
      const { server, nas } = vault;
      nas.goAway();
      const ids: string[] = [];
      for (const name of ["a", "b", "c"]) ids.push((await server.upload({ name, bytes: name })).fileId);
      expect(await untilStopped(vault)).toMatchObject({
        failed: 1,
        waiting: 2,
        pauseReason: "NAS_SYNC_FAILED",
      });
      const [failed] = (await server.done("GET", "/admin/queue/failed")).items;
      expect(failed).toMatchObject({ aggregateId: ids[0], attemptsMade: 3 });
      nas.comeBack();
      expect(await server.done("POST", "/admin/queue/retry-all")).toMatchObject({ retriedCount: 1 });
      expect(vault.onNas()).toEqual({});
      await server.done("POST", "/admin/queue/resume");
      await server.synced();
      expect(vault.onNas()).toEqual({ a: "a", b: "b", c: "c" });
    },
    { mode: "serial" },
  );

  it(
    "a NAS that hangs longer than the timeout counts as unreachable",
    async (vault) => {
      const { server, nas } = vault;
      const hang = nas.hangNext("put");
      await server.upload({ name: "a", bytes: "a" });
      await hang.reached;
      const degraded = await until(async () => {
        const status = await server.site.queues.get("nas-sync")?.queue.status();
        return status?.state === "degraded" && status;
      });
      expect(degraded.probeJobId).not.toBeNull();
      await server.synced();
      expect(vault.onNas()).toEqual({ a: "a" });
    },
    { timeout: 200, backoff: { delay: 500 } },
  );

  it(
    "a removal that hung does not remove the bytes of a newer file at the path",
    async (vault) => {
      const { server, nas } = vault;
      const { fileId } = await server.upload({ name: "a", bytes: "first" });
      await server.synced();
      const hang = nas.hangNext("remove");
      await server.done("DELETE", `/files/${fileId}?permanent=true`);
      await hang.reached;
      await server.synced();
      expect(vault.onNas()).toEqual({});
      await server.upload({ name: "a", bytes: "next" });
      await server.synced();
      hang.release();
      await pause(100);
      expect(vault.onNas()).toEqual({ a: "next" });
    },
    { timeout: 200, backoff: { delay: 100 } },
  );
});

describeFlaky("the probe of a failing NAS", (it) => {
  it(
    "does not wait for an operation that cannot run before the probe succeeds",
    async (vault) => {
      const { server, nas } = vault;
      const { fileId } = await server.upload({ name: "x", bytes: "a file" });
      await server.synced();
      const trashing = nas.hangNext("move");
      await server.done("DELETE", `/files/${fileId}`);
      await trashing.reached;
      nas.goAway();
      const queue = server.site.queues.get("nas-sync")?.queue;
      const { syncQueueId: probe } = await server.upload({ name: "y", bytes: "y" });
      await until(async () => (await queue?.status())?.probeJobId === probe);
      const folderId = await server.makeFolder("x");
      await server.upload({ name: "f", bytes: "in a folder", folderId });
      await until(async () => (await server.ask("POST", `/admin/jobs/${probe}/cancel`)).status === 200);
      trashing.release();
      await until(async () => (await server.done("GET", "/admin/queue/status")).active === 0);
      nas.comeBack();
      await server.synced();
      expect(vault.onNas()).toEqual({ [`.trash/${fileId}/x`]: "a file", "x/f": "in a folder" });
    },
    { attempts: 100, backoff: { delay: 200 } },
  );
});

describeFlaky("a large upload", (it) => {
  it(
    "that takes longer than the timeout continues as long as it makes progress",
    async (vault) => {
      const { server, cache } = vault;
      const read = cache.get.bind(cache);
      vi.spyOn(cache, "get").mockImplementation(async (...args) => {
        const content = await read(...args);
        return { ...content, stream: Readable.from(slowly(content.stream)) };
      });
      const { syncQueueId } = await server.upload({ name: "large", bytes: "0123456789" });
      await server.synced();
      expect(vault.onNas()).toEqual({ large: "0123456789" });
      const job = await server.done("GET", `/admin/jobs/${syncQueueId}`);
      expect(job).toMatchObject({ state: "done", attempts: 0 });
    },
    { timeout: 800 },
  );
});

/** One byte every 200 ms. */
async function* slowly(stream: Readable): AsyncGenerator<Buffer> {
  for await (const chunk of stream) {
    for (const byte of chunk as Buffer) {
      await pause(200);
      yield Buffer.from([byte]);
    }
  }
}

describeFlaky("when one file is bad", (it) => {
  it(
    "that file is held, and the others continue",
    async (vault) => {
      const { server, nas } = vault;
      nas.failNext("put", "DENIED", 2);
      const { fileId: bad } = await server.upload({ name: "bad", bytes: "bad" });
      await vault.untilHeld(bad);
      await uploadMany(vault, 5);
      await server.synced();
      expect(Object.keys(vault.onNas())).toHaveLength(5);
      expect(await server.done("GET", "/admin/queue/status")).toMatchObject({
        isPaused: false,
        failed: 1,
        waiting: 0,
      });
      const titles = { en: "File sync failed - file held", ko: "파일 동기화 실패 - 파일 보류됨" };
      for (const [language, title] of Object.entries(titles)) {
        const headers = { "accept-language": language };
        const [alert] = (await server.done("GET", "/admin/alerts", { headers })).items;
        expect(alert).toMatchObject({ type: "FILE_SYNC_FAILED", severity: "WARNING", title });
      }

      const { items } = await server.done("GET", "/admin/sync-queue/held");
      expect(items).toMatchObject([
        { fileId: bad, name: "bad", path: "/bad", operation: "UPLOAD", waitingBehind: 0 },
      ]);
      const retried = await server.done("POST", `/admin/sync-queue/${bad}/retry`);
      expect(retried).toMatchObject({ success: true, fileId: bad, affected: 1 });
      await server.synced();
      expect(vault.onNas()).toMatchObject({ bad: "bad" });
      expect((await server.done("GET", "/admin/sync-queue/held")).total).toBe(0);
    },
    { attempts: 2 },
  );
});

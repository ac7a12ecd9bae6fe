import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky, type FlakyVault } from "./flaky-vault.ts";

const STRANGE: readonly unknown[] = [null, 5, "text", [], { fileId: 7 }, { fileId: "x" }];
const reason = "nobody knows where it came from";

/** Adds jobs that the vault does not know with the library, and waits until each has failed. */
async function strangeJobs({ server }: FlakyVault): Promise<string[]> {
  const queue = server.site.queues.get("nas-sync")?.queue;
  const ids: string[] = [];
  for (const name of ["UPLOAD", "DELETE", "nonsense"]) {
    for (const payload of STRANGE) ids.push((await queue?.add(payload, { name }))?.id as string);
  }
  const failed = async () => (await server.done("GET", "/admin/queue/status")).failed;
  await until(async () => (await failed()) === ids.length);
  return ids;
}

describeFlaky("a job that the vault did not create", (it) => {
  it("fails at once, stops no other job, and is shown and skipped like any other", async (vault) => {
    const { server } = vault;
    const ids = await strangeJobs(vault);
    expect((await server.done("GET", "/admin/queue/status")).isPaused).toBe(false);
    const { items } = await server.done("GET", "/admin/queue/failed?limit=100");
    expect(items).toHaveLength(ids.length);
    for (const item of items) {
      expect(item).toMatchObject({ aggregateType: "JOB", attemptsMade: 1 });
      expect(item.failedReason).toMatch(/^NOT_AN_OPERATION: /);
    }
    const [first, second] = items;
    expect(await server.done("GET", `/admin/queue/failed/${first.jobId}`)).toMatchObject({
      aggregateType: "JOB",
    });
    expect(await server.done("GET", `/admin/queue/events/${first.syncEventId}`)).toMatchObject({
      status: "FAILED",
    });
    const skipped = await server.done("POST", `/admin/queue/skip/${first.jobId}`, { body: { reason } });
    expect(skipped).toMatchObject({ newStatus: "MANUALLY_RESOLVED", availabilityStatus: "ERROR" });
    await server.done("POST", `/admin/jobs/${second.syncEventId}/retry`);
    await server.synced();
    expect(await server.done("POST", "/admin/queue/retry-all")).toMatchObject({
      retriedCount: ids.length - 1,
    });
    await server.synced();
    const all = await server.done("POST", "/admin/queue/skip-all-and-resume", { body: { reason } });
    expect(all).toMatchObject({ skippedCount: ids.length - 1 });
  });

  it(
    "stops a serial queue, and the queue continues after it is skipped",
    async (vault) => {
      const { server } = vault;
      await server.site.queues.get("nas-sync")?.queue.add(null);
      await until(async () => (await server.done("GET", "/admin/queue/status")).isPaused);
      expect(await server.done("GET", "/admin/queue/status")).toMatchObject({
        pauseReason: "NAS_SYNC_FAILED",
        failed: 1,
      });
      const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
      await server.done("POST", "/admin/queue/skip-all-and-resume", { body: { reason } });
      await server.synced();
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    { mode: "serial" },
  );

  it("cannot be added over HTTP, so a key of one tenant reaches no other's file", async (vault) => {
    const { server } = vault;
    const { fileId, syncQueueId } = await server.upload({ name: "a", bytes: "bytes" });
    await server.synced();
    const { payload } = await server.done("GET", `/admin/jobs/${syncQueueId}`);
    const token = await server.key(["queue.operate", "queue.read"], { tenantId: "acme" });
    for (const queue of ["nas-sync", "vault", "vault-drift", "outbox"]) {
      const refused = await server.refused("POST", `/admin/queues/${queue}/jobs`, {
        token,
        body: { name: "DELETE", payload },
      });
      expect(refused).toMatchObject({ status: 409, error: "JOBS_FROM_APP" });
    }
    await server.synced();
    expect(vault.onNas()).toEqual({ a: "bytes" });
    expect(await vault.availability(fileId)).toBe("AVAILABLE");
  });
});

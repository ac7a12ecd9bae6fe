import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky, type FlakyVault } from "./flaky-vault.ts";

const QUEUE = { attempts: 2, onFinalFailure: "cancel-rest" } as const;
const reason = "looked at it";

/**
 * A file `a` whose rename to `old` has failed and left its lanes: another file was at the target, and has been removed
 * since.
 */
async function failedRename(
  vault: FlakyVault,
  folder?: string,
): Promise<{ fileId: string; ticket: string; jobId: string }> {
  const { server } = vault;
  const within = folder === undefined ? {} : { folderId: await server.makeFolder(folder) };
  const { fileId } = await server.upload({ name: "a", bytes: "bytes", ...within });
  await server.synced();
  const stranger = join(vault.nasFolder, folder ?? "", "old");
  writeFileSync(stranger, "somebody else's");
  await rename(vault, fileId, "old");
  const failed = await until(async () => {
    const { items } = await server.done("GET", "/admin/queue/failed");
    return items[0];
  });
  rmSync(stranger);
  return { fileId, ticket: failed.jobId, jobId: failed.syncEventId };
}

async function rename({ server }: FlakyVault, fileId: string, newName: string): Promise<void> {
  await server.done("PUT", `/files/${fileId}/rename`, { body: { newName } });
  await server.synced();
}

/** Retries by ticket, and returns how the operation ended. */
async function retried({ server }: FlakyVault, ticket: string, jobId: string) {
  await server.done("POST", `/admin/queue/retry/${ticket}`);
  await server.synced();
  return until(async () => {
    const { state, result } = (await server.site.andon.job(jobId)) as { state: string; result: unknown };
    return state !== "running" && { state, result };
  });
}

const SUPERSEDED = { state: "done", result: { superseded: true } };

describeFlaky("a superseded operation of a file", (it) => {
  it(
    "moves nothing when it is retried after a later rename",
    async (vault) => {
      const { fileId, ticket, jobId } = await failedRename(vault);
      await rename(vault, fileId, "newest");
      expect(await retried(vault, ticket, jobId)).toEqual(SUPERSEDED);
      expect(vault.onNas()).toEqual({ newest: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    QUEUE,
  );

  it(
    "moves nothing when it is retried while the later rename still waits",
    async (vault) => {
      const { fileId, ticket, jobId } = await failedRename(vault);
      await vault.beforeAnythingRuns(async () => {
        await vault.server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "newest" } });
        await vault.server.done("POST", `/admin/queue/retry/${ticket}`);
      });
      await vault.server.synced();
      expect(await vault.server.site.andon.job(jobId)).toMatchObject(SUPERSEDED);
      expect(vault.onNas()).toEqual({ newest: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    QUEUE,
  );

  it(
    "leaves the bytes of a trashed file in the trash, and every folder as it is",
    async (vault) => {
      const { fileId, ticket, jobId } = await failedRename(vault, "f");
      await vault.server.done("DELETE", `/files/${fileId}`);
      await vault.server.synced();
      mkdirSync(join(vault.nasFolder, "f"));
      expect(await retried(vault, ticket, jobId)).toEqual(SUPERSEDED);
      expect(vault.onNas()).toEqual({ [`.trash/${fileId}/old`]: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
      expect(readdirSync(vault.nasFolder)).toContain("f");
    },
    QUEUE,
  );

  it(
    "ends when its file is deleted for good",
    async (vault) => {
      const { fileId, ticket, jobId } = await failedRename(vault);
      await vault.server.done("DELETE", `/files/${fileId}?permanent=true`);
      await vault.server.synced();
      expect(await retried(vault, ticket, jobId)).toEqual(SUPERSEDED);
      expect(vault.onNas()).toEqual({});
    },
    QUEUE,
  );

  it(
    "is recognised even when the later operation was purged by age",
    async (vault) => {
      const { fileId, ticket, jobId } = await failedRename(vault);
      await rename(vault, fileId, "newest");
      await until(async () => {
        await vault.server.site.queues.get("nas-sync")?.queue.purge();
        return (await vault.server.rows("select id from andon_jobs where queue = 'nas-sync'")).length === 1;
      });
      expect(await retried(vault, ticket, jobId)).toEqual(SUPERSEDED);
      expect(vault.onNas()).toEqual({ newest: "bytes" });
    },
    { ...QUEUE, keep: { done: 1, ended: 1 } },
  );

  it(
    "records ERROR if the bytes are not at the path in the store",
    async (vault) => {
      const { fileId, ticket, jobId } = await failedRename(vault);
      await rename(vault, fileId, "newest");
      writeFileSync(join(vault.nasFolder, "newest"), "BYTES");
      expect(await retried(vault, ticket, jobId)).toEqual(SUPERSEDED);
      expect(await vault.availability(fileId)).toBe("ERROR");
    },
    QUEUE,
  );

  it(
    "does not change the recorded state of the file when it is skipped",
    async (vault) => {
      const { server } = vault;
      const { fileId, ticket } = await failedRename(vault);
      await rename(vault, fileId, "newest");
      // The same bytes at its target are somebody's copy: the file itself is elsewhere by now.
      writeFileSync(join(vault.nasFolder, "old"), "bytes");
      const answer = await server.done("POST", `/admin/queue/skip/${ticket}`, { body: { reason } });
      expect(answer).toMatchObject({ success: true, availabilityStatus: "AVAILABLE" });
      expect(await nasObject(vault, fileId)).toEqual({ path: "newest", status: "AVAILABLE" });
    },
    QUEUE,
  );

  it(
    "does not change the recorded state of the file when it is retried and then cancelled",
    async (vault) => {
      const { server } = vault;
      const { fileId, ticket, jobId } = await failedRename(vault);
      await rename(vault, fileId, "newest");
      await vault.beforeAnythingRuns(async () => {
        await server.done("POST", `/admin/queue/retry/${ticket}`);
        await server.site.queues.get("nas-sync")?.queue.cancel(jobId, { actor: "kim" });
      });
      expect(await nasObject(vault, fileId)).toEqual({ path: "newest", status: "AVAILABLE" });
    },
    QUEUE,
  );

  it(
    "is carried out if no later operation is done",
    async (vault) => {
      const { fileId, ticket, jobId } = await failedRename(vault);
      expect((await retried(vault, ticket, jobId)).state).toBe("done");
      expect(vault.onNas()).toEqual({ old: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    QUEUE,
  );
});

async function nasObject({ server }: FlakyVault, fileId: string) {
  const [object] = await server.rows(
    `select path, availability_status as status from file_storage_objects
where file_id = $1 and storage_type = 'NAS'`,
    [fileId],
  );
  return object;
}

import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky, type FlakyVault, filesBelow } from "./flaky-vault.ts";

const reason = "kept after all";

function queueOf({ server }: FlakyVault) {
  return server.site.queues.get("nas-sync")?.queue;
}

/** Queues an upload of `a` and its deletion for good, while nothing runs. */
async function deleted({ server }: FlakyVault) {
  const { fileId, syncQueueId: uploadId } = await server.upload({ name: "a", bytes: "bytes" });
  const { syncQueueId: deleteId } = await server.done("DELETE", `/files/${fileId}?permanent=true`);
  return { fileId, uploadId, deleteId };
}

/** No file has any rows left; what is on the NAS is unknown to a comparison. */
async function expectForgotten(vault: FlakyVault, onNas: Record<string, string>): Promise<void> {
  const { server } = vault;
  for (const table of ["files", "file_storage_objects", "vault_operations"])
    expect([table, await server.rows(`select * from ${table}`)]).toEqual([table, []]);
  await until(async () => filesBelow(vault.cacheFolder).length === 0);
  expect(vault.onNas()).toEqual(onNas);
  expect(await drift(vault)).toEqual(Object.keys(onNas).map((path) => ["UNKNOWN_ON_NAS", path]));
}

/** The findings of a comparison of the store with the NAS: kinds and paths. */
async function drift({ server }: FlakyVault): Promise<[string, string][]> {
  const { id } = await server.done("POST", "/admin/vault/verify", { body: {} });
  await until(async () => (await server.done("GET", `/admin/vault/verify/${id}`)).state === "DONE");
  const { items } = await server.done("GET", `/admin/vault/verify/${id}/findings`);
  return items.map(({ kind, path }: { kind: string; path: string }) => [kind, path]);
}

describeFlaky("a file whose DELETE is given up before its other operations have ended", (it) => {
  it("is forgotten after the upload before it is done", async (vault) => {
    const { server } = vault;
    await vault.beforeAnythingRuns(async () => {
      const { deleteId } = await deleted(vault);
      await server.done("POST", `/admin/jobs/${deleteId}/cancel`, { body: { reason } });
      expect(await server.rows("select state from files")).toEqual([{ state: "DELETED" }]);
    });
    await server.synced();
    await expectForgotten(vault, { a: "bytes" });
  });

  it("is forgotten even when a plan cancels the DELETE", async (vault) => {
    const { server } = vault;
    await vault.beforeAnythingRuns(async () => {
      const { deleteId } = await deleted(vault);
      const body = { action: "cancel", queue: "nas-sync", ids: [deleteId], reason };
      const { id } = await server.done("POST", "/admin/plans", { body });
      await server.done("POST", `/admin/plans/${id}/apply`);
    });
    await server.synced();
    await expectForgotten(vault, { a: "bytes" });
  });

  it("is forgotten even when the upload is running already", async (vault) => {
    const { server, nas } = vault;
    const hang = nas.hangNext("put");
    const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
    await hang.reached;
    const { syncQueueId } = await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await queueOf(vault)?.cancel(syncQueueId, { actor: "kim" });
    hang.release();
    await server.synced();
    await expectForgotten(vault, { a: "bytes" });
  });

  it("is forgotten after the upload before it is cancelled", async (vault) => {
    await vault.beforeAnythingRuns(async () => {
      const { uploadId, deleteId } = await deleted(vault);
      await queueOf(vault)?.cancel(deleteId, { actor: "kim" });
      await queueOf(vault)?.cancel(uploadId, { actor: "kim" });
    });
    await expectForgotten(vault, {});
  });

  for (const choice of ["skip", "cancel", "retry"]) {
    it(
      `is held while the upload before it is held, and then forgotten (${choice})`,
      async (vault) => {
        const { server } = vault;
        vault.nas.failNext("put", "DENIED");
        let fileId = "";
        await vault.beforeAnythingRuns(async () => {
          const made = await deleted(vault);
          fileId = made.fileId;
          await queueOf(vault)?.cancel(made.deleteId, { actor: "kim" });
        });
        await until(async () => (await server.done("GET", "/admin/sync-queue/held")).total === 1);
        await server.done("POST", `/admin/sync-queue/${fileId}/${choice}`, { body: { reason } });
        await server.synced();
        await expectForgotten(vault, choice === "retry" ? { a: "bytes" } : {});
      },
      { attempts: 1 },
    );
  }

  it(
    "is held even when its DELETE is given up later",
    async (vault) => {
      const { server } = vault;
      vault.nas.failNext("put", "DENIED");
      const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
      await vault.untilHeld(fileId);
      const { syncQueueId } = await server.done("DELETE", `/files/${fileId}?permanent=true`);
      await queueOf(vault)?.cancel(syncQueueId, { actor: "kim" });
      expect(await server.done("GET", "/admin/sync-queue/held")).toMatchObject({ total: 1 });
      await server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason } });
      await expectForgotten(vault, {});
    },
    { attempts: 1 },
  );

  it(
    "is forgotten after the upload before it is skipped by policy",
    async (vault) => {
      vault.nas.failNext("put", "DENIED");
      await vault.beforeAnythingRuns(async () => {
        const { deleteId } = await deleted(vault);
        await queueOf(vault)?.cancel(deleteId, { actor: "kim" });
      });
      await vault.server.synced();
      await expectForgotten(vault, {});
    },
    { attempts: 1, onFinalFailure: "skip" },
  );

  it(
    "is forgotten after a superseded operation ends",
    async (vault) => {
      const { server, nas } = vault;
      const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
      await server.synced();
      nas.failNext("move", "DENIED");
      const rename = (newName: string) =>
        server.done("PUT", `/files/${fileId}/rename`, { body: { newName } });
      const { syncQueueId: failedId } = await rename("b");
      await until(async () => (await server.site.andon.job(failedId))?.state === "failed");
      await rename("c");
      await server.synced();
      await vault.beforeAnythingRuns(async () => {
        await server.done("POST", `/admin/jobs/${failedId}/retry`, { body: { reason } });
        const { syncQueueId } = await server.done("DELETE", `/files/${fileId}?permanent=true`);
        await queueOf(vault)?.cancel(syncQueueId, { actor: "kim" });
      });
      await server.synced();
      await expectForgotten(vault, { c: "bytes" });
    },
    { attempts: 1, onFinalFailure: "cancel-rest" },
  );

  it(
    "is not forgotten while the DELETE itself waits for a person",
    async (vault) => {
      const { server, nas } = vault;
      const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
      await server.synced();
      nas.failNext("move", "DENIED");
      const { syncQueueId: renameId } = await server.done("PUT", `/files/${fileId}/rename`, {
        body: { newName: "b" },
      });
      await until(async () => (await server.site.andon.job(renameId))?.state === "failed");
      nas.failNext("remove", "DENIED");
      const { syncQueueId: deleteId } = await server.done("DELETE", `/files/${fileId}?permanent=true`);
      await until(async () => (await server.site.andon.job(deleteId))?.state === "failed");
      await server.done("POST", `/admin/jobs/${renameId}/skip`, { body: { reason } });
      expect(await server.rows("select state from files")).toEqual([{ state: "DELETED" }]);
      expect(await drift(vault)).toEqual([]);
      await server.done("POST", `/admin/jobs/${deleteId}/retry`, { body: { reason } });
      await server.synced();
      await expectForgotten(vault, {});
    },
    { attempts: 1, onFinalFailure: "cancel-rest" },
  );

  it("owns nothing on the NAS if its rows were left behind", async (vault) => {
    const { server } = vault;
    await server.upload({ name: "a", bytes: "bytes" });
    await server.synced();
    await server.site.andon.transaction((tx) => tx.query("update files set state = 'DELETED'"));
    expect(await drift(vault)).toEqual([["UNKNOWN_ON_NAS", "a"]]);
  });
});

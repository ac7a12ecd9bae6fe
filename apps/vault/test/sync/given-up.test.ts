import { expect } from "vitest";
import { describeFlaky, type FlakyVault } from "./flaky-vault.ts";

/** Queues an upload of `g` and renames of it, while nothing runs. */
async function queued({ server }: FlakyVault, ...names: string[]) {
  const { fileId } = await server.upload({ name: "g", bytes: "bytes" });
  const renames: string[] = [];
  for (const newName of names) {
    const { syncQueueId } = await server.done("PUT", `/files/${fileId}/rename`, { body: { newName } });
    renames.push(syncQueueId);
  }
  return { fileId, renames };
}

function cancel({ server }: FlakyVault, jobId: string | undefined) {
  return server.site.queues.get("nas-sync")?.queue.cancel(jobId as string, { actor: "kim" });
}

describeFlaky("a later operation of a file that is cancelled", (it) => {
  it("leaves the file in ERROR if the earlier one brings the bytes to another path than the file's", async (vault) => {
    let fileId = "";
    await vault.beforeAnythingRuns(async () => {
      const made = await queued(vault, "g2");
      fileId = made.fileId;
      await cancel(vault, made.renames[0]);
    });
    await vault.server.synced();
    expect(vault.onNas()).toEqual({ g: "bytes" });
    expect(await vault.availability(fileId)).toBe("ERROR");

    await vault.server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "g3" } });
    await vault.server.synced();
    expect(vault.onNas()).toEqual({ g3: "bytes" });
    expect(await vault.availability(fileId)).toBe("AVAILABLE");
  });

  it("is noticed by the earlier one even if that one is running already", async (vault) => {
    const { server, nas } = vault;
    const hang = nas.hangNext("put");
    const { fileId } = await server.upload({ name: "g", bytes: "bytes" });
    await hang.reached;
    const { syncQueueId } = await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "g2" } });
    await cancel(vault, syncQueueId);
    hang.release();
    await server.synced();
    expect(vault.onNas()).toEqual({ g: "bytes" });
    expect(await vault.availability(fileId)).toBe("ERROR");
  });

  it("changes nothing if another one still brings the file to its place", async (vault) => {
    let fileId = "";
    await vault.beforeAnythingRuns(async () => {
      const made = await queued(vault, "g2", "g3");
      fileId = made.fileId;
      await cancel(vault, made.renames[0]);
      expect(await vault.availability(fileId)).toBe("PENDING");
    });
    await vault.server.synced();
    expect(vault.onNas()).toEqual({ g3: "bytes" });
    expect(await vault.availability(fileId)).toBe("AVAILABLE");
  });

  it(
    "leaves the file in ERROR when the failed one before it is retried",
    async (vault) => {
      const { server, nas } = vault;
      nas.failNext("put", "DENIED");
      let fileId = "";
      await vault.beforeAnythingRuns(async () => {
        fileId = (await queued(vault, "g2")).fileId;
      });
      await server.synced();
      await server.done("POST", `/admin/sync-queue/${fileId}/retry`);
      await server.synced();
      expect(vault.onNas()).toEqual({ g: "bytes" });
      expect(await vault.availability(fileId)).toBe("ERROR");
    },
    { attempts: 1, onFinalFailure: "cancel-rest" },
  );
});

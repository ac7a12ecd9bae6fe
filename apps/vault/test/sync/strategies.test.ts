import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky, type FlakyVault } from "./flaky-vault.ts";

/** A file `a` on the NAS whose rename to `b` fails twice, with a rename to `c` behind it. */
async function failingRename(vault: FlakyVault, fault: "DENIED" | "UNREACHABLE" = "DENIED"): Promise<string> {
  const { server, nas } = vault;
  const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
  await server.synced();
  nas.failNext("move", fault, 2);
  await vault.beforeAnythingRuns(async () => {
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "c" } });
  });
  return fileId;
}

function isPaused({ server }: FlakyVault): Promise<boolean> {
  return server.done("GET", "/admin/queue/status").then((status) => status.isPaused);
}

/** The alerts of the failed operations: their types, whether they are firing, and the file names in them. */
async function alerts({ server }: FlakyVault) {
  const { items } = await server.done("GET", "/admin/alerts");
  return items.map((alert: { type: string; resolvedAt: string | null; message: string }) => [
    alert.type,
    alert.resolvedAt === null ? "firing" : "resolved",
    /"(.*?)"/.exec(alert.message)?.[1] ?? null,
  ]);
}

const HELD = {
  queueStatus: "HELD",
  currentOperation: { type: "RENAME", seq: 2, status: "FAILED", retryCount: 1 },
  pendingOperations: [{ type: "RENAME", seq: 3 }],
};

describeFlaky("after the last attempt of one file", (it) => {
  it(
    "auto holds the file",
    async (vault) => {
      const fileId = await failingRename(vault);
      await vault.untilHeld(fileId);
      expect(await vault.status(fileId)).toMatchObject(HELD);
      expect(await isPaused(vault)).toBe(false);
      expect(await vault.availability(fileId)).toBe("ERROR");
      expect(vault.onNas()).toEqual({ a: "bytes" });
      expect(await alerts(vault)).toEqual([["FILE_SYNC_FAILED", "firing", "b"]]);
    },
    { attempts: 2, onFinalFailure: "auto" },
  );

  it(
    "auto stops the queue if the NAS itself was at fault",
    async (vault) => {
      const fileId = await failingRename(vault, "UNREACHABLE");
      await until(() => isPaused(vault));
      expect(await vault.status(fileId)).toMatchObject(HELD);
      expect(await vault.availability(fileId)).toBe("ERROR");
      expect(await alerts(vault)).toEqual([["NAS_SYNC_FAILED_QUEUE_PAUSED", "firing", null]]);
    },
    { attempts: 2, onFinalFailure: "auto" },
  );

  it(
    "hold-file holds the file",
    async (vault) => {
      const fileId = await failingRename(vault, "UNREACHABLE");
      await vault.untilHeld(fileId);
      expect(await vault.status(fileId)).toMatchObject(HELD);
      expect(await isPaused(vault)).toBe(false);
    },
    { attempts: 2, onFinalFailure: "hold-file" },
  );

  it(
    "stop-queue stops the queue",
    async (vault) => {
      const fileId = await failingRename(vault);
      await until(() => isPaused(vault));
      expect(await vault.status(fileId)).toMatchObject(HELD);
      expect(await alerts(vault)).toEqual([["NAS_SYNC_FAILED_QUEUE_PAUSED", "firing", null]]);
      await retryAllAndResume(vault);
      await vault.server.synced();
      expect(vault.onNas()).toEqual({ c: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    },
    { attempts: 2, onFinalFailure: "stop-queue" },
  );

  it(
    "cancel-rest cancels the remaining operations of the file, and the file stays where it was",
    async (vault) => {
      const fileId = await failingRename(vault);
      await vault.server.synced();
      await until(async () => (await vault.status(fileId)).queueStatus === "IDLE");
      expect(await vault.status(fileId)).toMatchObject({
        currentOperation: null,
        pendingOperations: [],
        completedOperations: [
          { type: "UPLOAD", status: "DONE" },
          { type: "RENAME", status: "FAILED" },
          { type: "RENAME", status: "CANCELLED" },
        ],
      });
      expect(vault.onNas()).toEqual({ a: "bytes" });
      expect(await vault.availability(fileId)).toBe("ERROR");
      expect(await alerts(vault)).toEqual([["FILE_SYNC_FAILED", "firing", "b"]]);
    },
    { attempts: 2, onFinalFailure: "cancel-rest" },
  );

  it(
    "skip continues with the next operation, from where the bytes really are",
    async (vault) => {
      const fileId = await failingRename(vault);
      await vault.server.synced();
      expect(await vault.status(fileId)).toMatchObject({
        queueStatus: "IDLE",
        completedOperations: [{ status: "DONE" }, { status: "SKIPPED" }, { status: "DONE" }],
      });
      expect(vault.onNas()).toEqual({ c: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
      // The alert stays open for further failures with the same cause, and is resolved after a while without any.
      expect(await alerts(vault)).toEqual([["FILE_SYNC_FAILED", "firing", "b"]]);
    },
    { attempts: 2, onFinalFailure: "skip" },
  );
});

async function retryAllAndResume({ server }: FlakyVault): Promise<void> {
  await server.done("POST", "/admin/queue/retry-all");
  await server.done("POST", "/admin/queue/resume");
}

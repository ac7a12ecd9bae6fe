import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky } from "./flaky-vault.ts";

const TIME = expect.stringMatching(/^\d{4}-.*Z$/);

describeFlaky("the sync status of a file", (it) => {
  it("shows the operations that run, wait and are done", async (vault) => {
    const { server, nas } = vault;
    const hang = nas.hangNext("put");
    const { fileId } = await server.upload({ name: "a", bytes: "x" });
    await hang.reached;
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
    const { queuePosition } = await server.done("DELETE", `/files/${fileId}`);
    expect(queuePosition).toBe(3);
    expect(await vault.status(fileId)).toEqual({
      fileId,
      queueStatus: "PROCESSING",
      currentOperation: {
        type: "UPLOAD",
        seq: 1,
        status: "IN_PROGRESS",
        startedAt: TIME,
        retryCount: 0,
        error: null,
      },
      pendingOperations: [
        { type: "RENAME", seq: 2 },
        { type: "TRASH", seq: 3 },
      ],
      completedOperations: [],
    });
    hang.release();
    await server.synced();
    expect(await vault.status(fileId)).toEqual({
      fileId,
      queueStatus: "IDLE",
      currentOperation: null,
      pendingOperations: [],
      completedOperations: [
        { type: "UPLOAD", seq: 1, status: "DONE", completedAt: TIME },
        { type: "RENAME", seq: 2, status: "DONE", completedAt: TIME },
        { type: "TRASH", seq: 3, status: "DONE", completedAt: TIME },
      ],
    });
  });

  it("shows the latest of very many operations, and the oldest are deleted gradually", async (vault) => {
    const { server } = vault;
    const { fileId } = await server.upload({ name: "a", bytes: "x" });
    await server.synced();
    // Like the rows of purged jobs: their ids are older than any new one.
    const gone = Array.from({ length: 250 }, (_, n) => `($1, '00000000-${n}', 1)`).join(", ");
    await server.site.andon.store.transaction("test", (tx) =>
      tx.query(`insert into vault_operations (file_id, job_id, created_at) values ${gone}`, [fileId]),
    );
    const kept = async () =>
      (await server.rows("select job_id from vault_operations where file_id = $1", [fileId])).length;
    const types = async () =>
      (await vault.status(fileId)).completedOperations.map(({ type }: { type: string }) => type);
    expect(await types()).toEqual(["UPLOAD"]);
    for (const [newName, left] of [
      ["b", 152],
      ["c", 53],
      ["d", 4],
    ] as const) {
      await server.done("PUT", `/files/${fileId}/rename`, { body: { newName } });
      await server.synced();
      expect([newName, await kept()]).toEqual([newName, left]);
    }
    expect(await types()).toEqual(["UPLOAD", "RENAME", "RENAME", "RENAME"]);
  });

  it(
    "shows that an operation waits for its retry, and why",
    async (vault) => {
      const { server, nas } = vault;
      nas.failNext("put", "DENIED");
      const { fileId } = await server.upload({ name: "a", bytes: "x" });
      const status = await until(async () => {
        const found = await vault.status(fileId);
        return found.currentOperation?.status === "RETRYING" && found;
      });
      expect(status).toMatchObject({
        queueStatus: "PENDING",
        currentOperation: {
          type: "UPLOAD",
          seq: 1,
          retryCount: 1,
          error: expect.stringContaining("denies access"),
        },
        pendingOperations: [],
      });
    },
    { backoff: { delay: "1h" } },
  );

  it("is available only for the caller's own files", async (vault) => {
    const { server } = vault;
    const { fileId } = await server.upload({ name: "a", bytes: "x" });
    const token = await server.key(["files.read"], { tenantId: "acme" });
    const refused = await server.refused("GET", `/files/${fileId}/sync-status`, { token });
    expect(refused).toMatchObject({ status: 404, error: "FILE_NOT_FOUND" });
  });
});

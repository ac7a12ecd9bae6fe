import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky } from "./flaky-vault.ts";

const TIME = expect.stringMatching(/^\d{4}-.*Z$/);

describeFlaky("the sync status of a file", (it) => {
  it("tells what runs, what waits and what is done", async (vault) => {
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

  it(
    "tells that an operation waits to be tried again, and why",
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

  it("is of the caller's own files only", async (vault) => {
    const { server } = vault;
    const { fileId } = await server.upload({ name: "a", bytes: "x" });
    const token = await server.key(["files.read"], { tenantId: "acme" });
    const refused = await server.refused("GET", `/files/${fileId}/sync-status`, { token });
    expect(refused).toMatchObject({ status: 404, error: "FILE_NOT_FOUND" });
  });
});

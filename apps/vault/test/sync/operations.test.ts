import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { until } from "../harness.ts";
import { describeFlaky } from "./flaky-vault.ts";

describeFlaky("the NAS", (it) => {
  it("has a file at the path in the store after every operation", async (vault) => {
    const { server } = vault;
    const docs = await server.makeFolder("docs");
    const { fileId } = await server.upload({ name: "a.txt", bytes: "alpha", folderId: docs });
    await server.synced();
    expect(vault.onNas()).toEqual({ "docs/a.txt": "alpha" });
    expect(await vault.availability(fileId)).toBe("AVAILABLE");

    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b.txt" } });
    await server.synced();
    expect(vault.onNas()).toEqual({ "docs/b.txt": "alpha" });

    const other = await server.makeFolder("other");
    await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: other } });
    await server.synced();
    expect(vault.onNas()).toEqual({ "other/b.txt": "alpha" });
    expect(existsSync(join(vault.nasFolder, "docs"))).toBe(false);

    await server.done("DELETE", `/files/${fileId}`);
    await server.synced();
    expect(vault.onNas()).toEqual({ [`.trash/${fileId}/b.txt`]: "alpha" });

    await server.done("POST", `/files/${fileId}/restore`);
    await server.synced();
    expect(vault.onNas()).toEqual({ "other/b.txt": "alpha" });
    expect(existsSync(join(vault.nasFolder, ".trash"))).toBe(false);

    await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await server.synced();
    expect(readdirSync(vault.nasFolder)).toEqual([".andon-nas"]);
    expect(await server.rows("select id from files")).toEqual([]);
    expect(await server.rows("select id from file_storage_objects")).toEqual([]);
  });

  it("starts later operations from where earlier ones left the file", async (vault) => {
    const { server, nas } = vault;
    const first = nas.hangNext("put");
    const { fileId } = await server.upload({ name: "a", bytes: "one" });
    await first.reached;
    const folder = await server.makeFolder("f");
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
    await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: folder } });
    const { queuePosition } = await server.done("DELETE", `/files/${fileId}`);
    expect(queuePosition).toBe(4);
    first.release();
    await server.synced();
    expect(vault.onNas()).toEqual({ [`.trash/${fileId}/b`]: "one" });
  });

  it("has a name as a file before it has it as a folder, if that was the order", async (vault) => {
    const { server, nas } = vault;
    const first = nas.hangNext("put");
    const { fileId } = await server.upload({ name: "d", bytes: "a file" });
    await first.reached;
    await server.done("DELETE", `/files/${fileId}`);
    const folderId = await server.makeFolder("d");
    const { syncQueueId } = await server.upload({ name: "b", bytes: "in a folder", folderId });
    // The upload into the folder has been snoozed: it must not store anything before the file `d` is stored and
    // trashed.
    await until(async () => (await server.done("GET", `/admin/jobs/${syncQueueId}`)).history.length > 0);
    expect(vault.onNas()).toEqual({});
    first.release();
    await server.synced();
    expect(vault.onNas()).toEqual({ [`.trash/${fileId}/d`]: "a file", "d/b": "in a folder" });
  });

  it("keeps the files of other tenants below a folder of their own, which stays", async (vault) => {
    const { server } = vault;
    const token = await server.key(["files.read", "files.write"], { tenantId: "acme" });
    const { fileId } = await server.upload({ name: "a", bytes: "acme's", token });
    await server.synced();
    expect(vault.onNas()).toEqual({ ".tenants/acme/a": "acme's" });
    await server.done("DELETE", `/files/${fileId}?permanent=true`, { token });
    await server.synced();
    expect(readdirSync(join(vault.nasFolder, ".tenants", "acme"))).toEqual([]);
  });

  it("gets lost bytes from the cache again", async (vault) => {
    const { server, nas } = vault;
    const { fileId } = await server.upload({ name: "a", bytes: "again" });
    await server.synced();
    await nas.remove("a");
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
    await server.synced();
    expect(vault.onNas()).toEqual({ b: "again" });
    expect(await vault.availability(fileId)).toBe("AVAILABLE");
  });

  it("reports lost bytes at once if the cache does not have them either", async (vault) => {
    const { server, nas, cache } = vault;
    const { fileId } = await server.upload({ name: "a", bytes: "gone" });
    await server.synced();
    await nas.remove("a");
    for await (const { kind, path } of cache.list("", { recursive: true }))
      if (kind === "file") await cache.remove(path);
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
    await vault.untilHeld(fileId);
    const [failed] = (await server.done("GET", "/admin/queue/failed")).items;
    expect(failed).toMatchObject({ aggregateId: fileId, eventType: "NAS_SYNC_RENAME", attemptsMade: 1 });
    expect(failed.failedReason).toContain("BYTES_MISSING");
  });

  it("never overwrites a file that somebody put there, and holds the upload instead", async (vault) => {
    const { server, nas } = vault;
    const { Readable } = await import("node:stream");
    await server.upload({ name: "first", bytes: "1" });
    await server.synced();
    await nas.put("mine", Readable.from(["a stranger's"]), { temporary: "x-1" });
    const { fileId } = await server.upload({ name: "mine", bytes: "ours" });
    await vault.untilHeld(fileId);
    expect(vault.onNas()).toEqual({ first: "1", mine: "a stranger's" });
    expect(await vault.availability(fileId)).toBe("ERROR");
  });

  for (const [what, strange] of [
    ["another size", "a stranger's"],
    ["the same size", "not us!"],
  ] as const) {
    it(`quarantines other bytes of ${what} at a file's path when the file is deleted for good`, async (vault) => {
      const { server } = vault;
      const { fileId } = await server.upload({ name: "p", bytes: "it's us" });
      await server.synced();
      writeFileSync(join(vault.nasFolder, "p"), strange);
      const { syncQueueId } = await server.done("DELETE", `/files/${fileId}?permanent=true`);
      await server.synced();
      const [[path, text]] = Object.entries(vault.onNas()) as [[string, string]];
      expect([path, text]).toEqual([expect.stringMatching(`^\\.trash/${syncQueueId}-\\d+/p$`), strange]);
      expect(await server.rows("select path from vault_quarantined")).toEqual([{ path }]);
      expect(await server.rows("select id from files")).toEqual([]);
    });
  }

  it("quarantines bytes that were changed in the trash when the file is deleted for good", async (vault) => {
    const { server } = vault;
    const { fileId } = await server.upload({ name: "p", bytes: "it's us" });
    await server.done("DELETE", `/files/${fileId}`);
    await server.synced();
    writeFileSync(join(vault.nasFolder, ".trash", fileId, "p"), "changed");
    const { syncQueueId } = await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await server.synced();
    expect(Object.entries(vault.onNas())).toEqual([
      [expect.stringMatching(`^\\.trash/${syncQueueId}-\\d+/p$`), "changed"],
    ]);
  });

  it("shows its work in the seeds' views", async (vault) => {
    const { server } = vault;
    const { fileId, syncQueueId } = await server.upload({ name: "a", bytes: "x", mimeType: "text/plain" });
    await server.synced();
    const [row] = await server.rows("select * from file_sync_queue");
    expect(row).toMatchObject({
      id: syncQueueId,
      file_id: fileId,
      folder_id: "root",
      operation_type: "UPLOAD",
      seq: 1,
      status: "DONE",
      retry_count: 0,
      max_retries: 5,
      error_message: null,
    });
    expect(Object.keys(row ?? {})).toEqual([
      "id",
      "file_id",
      "folder_id",
      "operation_type",
      "seq",
      "metadata",
      "status",
      "retry_count",
      "max_retries",
      "error_message",
      "created_at",
      "started_at",
      "completed_at",
    ]);
    const [event] = await server.rows("select * from sync_events");
    expect(event).toMatchObject({
      id: syncQueueId,
      aggregate_type: "FILE",
      aggregate_id: fileId,
      event_type: "NAS_SYNC_UPLOAD",
      status: "DONE",
      attempt_count: 0,
      last_error: null,
      resolved_by: null,
      resolution_note: null,
    });
    expect(Object.keys(event ?? {})).toEqual([
      "id",
      "aggregate_type",
      "aggregate_id",
      "event_type",
      "payload",
      "status",
      "attempt_count",
      "last_error",
      "created_at",
      "processed_at",
      "resolved_by",
      "resolved_at",
      "resolution_note",
    ]);
  });
});

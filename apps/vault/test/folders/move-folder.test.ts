import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { newId } from "@andon/engine";
import { expect } from "vitest";
import { rowBatches } from "../../src/sql-lists.ts";
import { describeVault, until, type VaultServer, WITHOUT_WORK } from "../harness.ts";

describeVault("moving a folder", (it, store) => {
  it("moves every file below it, and reports the progress", {}, async (server) => {
    const from = await server.makeFolder("from");
    const to = await server.makeFolder("to");
    const inner = await server.makeFolder("inner", from);
    await server.upload({ name: "a", folderId: from, bytes: "a" });
    await server.upload({ name: "b", folderId: inner, bytes: "b" });
    const { fileId: trashed } = await server.upload({ name: "c", folderId: inner, bytes: "c" });
    await server.done("DELETE", `/files/${trashed}`);
    const moved = await server.done("POST", `/folders/${from}/move`, { body: { targetFolderId: to } });
    expect(moved).toMatchObject({ path: "/to/from", affectedFiles: 2, operationId: expect.any(String) });
    await server.synced();
    const operation = await server.done("GET", `/folder-operations/${moved.operationId}`);
    expect(operation).toMatchObject({
      folderId: from,
      kind: "MOVE",
      state: "DONE",
      total: 2,
      done: 2,
      failed: 0,
    });
    expect(readFileSync(join(server.nasFolder, "to/from/a"), "utf8")).toBe("a");
    expect(readFileSync(join(server.nasFolder, "to/from/inner/b"), "utf8")).toBe("b");
    expect(readFileSync(join(server.nasFolder, ".trash", trashed, "c"), "utf8")).toBe("c");
    expect(existsSync(join(server.nasFolder, "from"))).toBe(false);

    const renamed = await server.done("PUT", `/folders/${to}/rename`, { body: { newName: "new" } });
    expect(renamed).toMatchObject({ path: "/new", affectedFiles: 2 });
    expect((await server.done("POST", `/files/${trashed}/restore`)).path).toBe("/new/from/inner/c");
    await server.synced();
    expect(readFileSync(join(server.nasFolder, "new/from/inner/c"), "utf8")).toBe("c");
  });

  it("to its own place changes nothing", { settings: WITHOUT_WORK }, async (server) => {
    const folder = await server.makeFolder("f");
    await server.upload({ name: "a", folderId: folder });
    const same = await server.done("POST", `/folders/${folder}/move`, { body: { targetFolderId: "root" } });
    expect(same).toMatchObject({ path: "/f", affectedFiles: 0, operationId: null });
    const named = await server.done("PUT", `/folders/${folder}/rename`, { body: { newName: "f" } });
    expect(named).toMatchObject({ path: "/f", affectedFiles: 0, operationId: null });
  });

  it("shows its progress on the NAS", { settings: WITHOUT_WORK }, async (server) => {
    const folder = await server.makeFolder("f");
    await server.upload({ name: "a", folderId: folder });
    const { operationId } = await server.done("PUT", `/folders/${folder}/rename`, { body: { newName: "g" } });
    const operation = await server.done("GET", `/folder-operations/${operationId}`);
    expect(operation).toMatchObject({ kind: "RENAME", state: "RUNNING", total: 1, done: 0, failed: 0 });
  });

  it(
    "works with 10,000 files in one request",
    { settings: WITHOUT_WORK },
    async (server) => {
      const folder = await server.makeFolder("many");
      const to = await server.makeFolder("to");
      await addFiles(server, folder, 10_000);
      const started = Date.now();
      const moved = await server.done("POST", `/folders/${folder}/move`, { body: { targetFolderId: to } });
      console.log(`${store}: a folder of 10,000 files moved in ${Date.now() - started} ms`);
      expect(moved).toMatchObject({ path: "/to/many", affectedFiles: 10_000 });
      const operation = await server.done("GET", `/folder-operations/${moved.operationId}`);
      expect(operation).toMatchObject({ state: "RUNNING", total: 10_000, done: 0 });
      await until(async () => (await server.done("GET", "/files?page=1")).total === 10_000);
    },
    120_000,
  );
});

/** Adds rows of files as uploads do, but without bytes. */
async function addFiles({ site }: VaultServer, folderId: string, count: number): Promise<void> {
  const now = Date.now();
  const files = Array.from({ length: count }, (_, made) => ({ id: newId(now), name: `file-${made}.txt` }));
  await site.andon.store.transaction("test", async (tx) => {
    const rows = files.map(({ id, name }) => [
      id,
      "default",
      folderId,
      name,
      name,
      "ACTIVE",
      1,
      "text/plain",
      "x",
      "test",
      now,
      now,
    ]);
    for (const { values, params } of rowBatches(rows)) {
      await tx.query(
        `insert into files
  (id, tenant_id, folder_id, name, sort_name, state, size, mime_type, sha256, created_by, created_at, updated_at)
values ${values}`,
        params,
      );
    }
    const names = files.map(({ id, name }) => ["default", folderId, name, "file", id]);
    for (const { values, params } of rowBatches(names)) {
      await tx.query(
        `insert into vault_names (tenant_id, parent_id, name_key, kind, owner_id) values ${values}`,
        params,
      );
    }
  });
}

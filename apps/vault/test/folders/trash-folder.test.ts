import { existsSync, mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { describeVault, type VaultServer, WITHOUT_WORK } from "../harness.ts";
import { housekeep } from "../housekeeping.ts";

const DAY = 86_400_000;

/** Simulates an unmounted share: an empty folder stays. */
function unmount({ nasFolder }: VaultServer): () => void {
  renameSync(nasFolder, `${nasFolder}-away`);
  mkdirSync(nasFolder);
  return () => {
    expect(readdirSync(nasFolder)).toEqual([]);
    renameSync(nasFolder, `${nasFolder}-empty`);
    renameSync(`${nasFolder}-away`, nasFolder);
  };
}

async function knownNas(server: VaultServer): Promise<void> {
  await server.upload({ name: "first", bytes: "x" });
  await server.synced();
}

describeVault("the trash", (it) => {
  it("accepts an empty folder and restores it", {}, async (server) => {
    const id = await server.makeFolder("f");
    const trashed = await server.done("DELETE", `/folders/${id}`);
    expect(trashed).toEqual({
      id,
      name: "f",
      state: "TRASHED",
      deletedAt: expect.any(String),
      expiresAt: new Date(Date.parse(trashed.deletedAt) + 30 * DAY).toISOString(),
    });
    expect(existsSync(join(server.nasFolder, ".trash", id))).toBe(true);
    expect(await server.done("GET", "/folders/root")).toMatchObject({ children: { total: 0 } });
    expect(await server.done("GET", `/folders/${id}`)).toMatchObject({ state: "TRASHED", path: "/f" });
    expect(await server.done("GET", "/trash")).toMatchObject({
      total: 1,
      items: [
        { kind: "folder", id, name: "f", originalPath: "/f", size: null, expiresAt: trashed.expiresAt },
      ],
    });
    const again = await server.refused("DELETE", `/folders/${id}`);
    expect([again.status, again.error]).toEqual([400, "FOLDER_ALREADY_TRASHED"]);
    const other = await server.makeFolder("f");
    expect((await server.refused("POST", `/folders/${id}/restore`)).error).toBe("NAME_TAKEN");
    await server.done("PUT", `/folders/${other}/rename`, { body: { newName: "g" } });
    const back = await server.done("POST", `/folders/${id}/restore`);
    expect(back).toEqual({ id, name: "f", parentId: "root", path: "/f", state: "ACTIVE" });
    expect(existsSync(join(server.nasFolder, ".trash"))).toBe(false);
    expect((await server.refused("POST", `/folders/${id}/restore`)).error).toBe("NOT_TRASHED");
    expect(await server.done("GET", "/trash")).toMatchObject({ total: 0 });
  });

  it("refuses a folder that is not empty, and reports its content", {}, async (server) => {
    const id = await server.makeFolder("Documents");
    await server.makeFolder("in", id);
    const { fileId } = await server.upload({ name: "a", folderId: id, bytes: "x" });
    await server.upload({ name: "b", folderId: id, bytes: "x" });
    const { status, error, details, message } = await server.refused("DELETE", `/folders/${id}`, {
      headers: { "accept-language": "ko" },
    });
    expect([status, error, message]).toEqual([
      409,
      "FOLDER_NOT_EMPTY",
      "폴더 안에 파일 또는 하위 폴더가 있어 삭제할 수 없습니다. 먼저 내부 항목을 삭제해주세요.",
    ]);
    expect(details).toEqual({ folderId: id, folderName: "Documents", fileCount: 2, subFolderCount: 1 });
    await server.done("DELETE", `/files/${fileId}`);
    expect((await server.refused("DELETE", `/folders/${id}`)).details).toMatchObject({ fileCount: 1 });
    expect((await server.refused("DELETE", "/folders/nobody")).error).toBe("FOLDER_NOT_FOUND");
    expect((await server.refused("DELETE", "/folders/root")).error).toBe("ROOT_FOLDER");
  });

  it("refuses a folder with unfinished operations below it", { settings: WITHOUT_WORK }, async (server) => {
    const id = await server.makeFolder("f");
    const neighbour = await server.makeFolder("f-neighbour");
    const { fileId } = await server.upload({ name: "a", folderId: id });
    await server.upload({ name: "b", folderId: neighbour });
    await server.done("DELETE", `/files/${fileId}`);
    const { status, error, details } = await server.refused("DELETE", `/folders/${id}`);
    expect([status, error]).toEqual([409, "FOLDER_SYNC_PENDING"]);
    expect(details).toMatchObject({ folderName: "f", count: 2 });
  });

  it("changes nothing when the NAS is away", {}, async (server) => {
    await knownNas(server);
    const id = await server.makeFolder("Documents");
    const old = await server.makeFolder("old");
    await server.done("DELETE", `/folders/${old}`);
    const mount = unmount(server);
    const removed = await server.refused("DELETE", `/folders/${id}`, {
      headers: { "accept-language": "ko" },
    });
    expect(removed).toMatchObject({
      status: 500,
      error: "NAS_SYNC_FAILED",
      message: "NAS 동기화에 실패했습니다. 잠시 후 다시 시도해주세요.",
      details: { folderId: id, folderName: "Documents" },
    });
    const restored = await server.refused("POST", `/folders/${old}/restore`);
    expect([restored.status, restored.error]).toEqual([500, "NAS_SYNC_FAILED"]);
    mount();
    expect(await server.done("GET", `/folders/${id}`)).toMatchObject({ state: "ACTIVE" });
    expect(await server.done("GET", `/folders/${old}`)).toMatchObject({ state: "TRASHED" });
    expect(await server.done("GET", "/trash")).toMatchObject({ total: 1, items: [{ id: old }] });
    expect((await server.upload({ name: "a", folderId: id })).folderId).toBe(id);
    expect((await server.done("POST", `/folders/${old}/restore`)).state).toBe("ACTIVE");
  });

  it("leaves files of other programs on the NAS alone", {}, async (server) => {
    await knownNas(server);
    const id = await server.makeFolder("f");
    const stranger = join(server.nasFolder, "f", "stranger.txt");
    mkdirSync(join(server.nasFolder, "f"));
    writeFileSync(stranger, "not ours");
    expect((await server.done("DELETE", `/folders/${id}`)).state).toBe("TRASHED");
    expect(existsSync(stranger)).toBe(true);
  });

  it("accepts a folder that cannot be on the NAS, and restores it", {}, async (server) => {
    await knownNas(server);
    const inTheWay = await server.makeFolder("p");
    writeFileSync(join(server.nasFolder, "p"), "a stranger's");
    const blocked = await server.makeFolder("c", await server.makeFolder("b", inTheWay));
    let tooLong = "root";
    // 4,095 bytes: allowed as a path, but too long after the root of the NAS.
    for (let n = 0; n < 16; n++) tooLong = await server.makeFolder("n".repeat(255), tooLong);
    for (const id of [blocked, tooLong]) {
      expect(await server.done("DELETE", `/folders/${id}`)).toMatchObject({ id, state: "TRASHED" });
      expect(existsSync(join(server.nasFolder, ".trash", id))).toBe(true);
      expect(await server.done("POST", `/folders/${id}/restore`)).toMatchObject({ id, state: "ACTIVE" });
    }
    const led = await server.makeFolder("c", await server.makeFolder("link"));
    symlinkSync(server.cacheFolder, join(server.nasFolder, "link"));
    expect(await server.refused("DELETE", `/folders/${led}`)).toMatchObject({
      error: "NAS_SYNC_FAILED",
      details: { problem: "LINK_REFUSED" },
    });
  });

  it("does not restore a folder while the folder above is in the trash", {}, async (server) => {
    const parent = await server.makeFolder("p");
    const child = await server.makeFolder("c", parent);
    await server.done("DELETE", `/folders/${child}`);
    await server.done("DELETE", `/folders/${parent}`);
    const { status, error } = await server.refused("POST", `/folders/${child}/restore`);
    expect([status, error]).toEqual([409, "PARENT_TRASHED"]);
    await server.done("POST", `/folders/${parent}/restore`);
    expect((await server.done("POST", `/folders/${child}/restore`)).path).toBe("/p/c");
  });

  it("is emptied of expired items", { vault: { trashKeep: 3_600_000 } }, async (server) => {
    const folder = await server.makeFolder("f");
    const { fileId } = await server.upload({ name: "a", bytes: "x" });
    const { fileId: kept } = await server.upload({ name: "kept", bytes: "x" });
    await server.done("DELETE", `/folders/${folder}`);
    for (const id of [fileId, kept]) await server.done("DELETE", `/files/${id}`);
    await server.synced();
    expect((await housekeep(server, "empty-trash")).state).toBe("done");
    expect(await server.done("GET", "/trash")).toMatchObject({ total: 3 });
    await server.site.andon.transaction((tx) =>
      tx.query("update trash_metadata set expires_at = 1 where item_id <> $1", [kept]),
    );
    expect((await housekeep(server, "empty-trash")).state).toBe("done");
    await server.synced();
    expect(await server.done("GET", "/trash")).toMatchObject({ total: 1, items: [{ id: kept }] });
    expect(readdirSync(join(server.nasFolder, ".trash"))).toEqual([kept]);
    expect((await server.refused("GET", `/files/${fileId}`)).error).toBe("FILE_NOT_FOUND");
    expect((await server.refused("POST", `/folders/${folder}/restore`)).error).toBe("FOLDER_NOT_FOUND");
    expect(await server.rows("select id from files")).toEqual([{ id: kept }]);
  });

  it("keeps an expired folder while another item would be restored to it", {}, async (server) => {
    const parent = await server.makeFolder("p");
    const child = await server.makeFolder("c", parent);
    const { fileId } = await server.upload({ name: "a", folderId: child, bytes: "x" });
    await server.done("DELETE", `/files/${fileId}`);
    await server.synced();
    for (const id of [child, parent]) await server.done("DELETE", `/folders/${id}`);
    const expire = async (id: string) => {
      await server.site.andon.transaction((tx) =>
        tx.query("update trash_metadata set expires_at = 1 where item_id = $1", [id]),
      );
      expect((await housekeep(server, "empty-trash")).state).toBe("done");
    };
    const left = async () => (await server.rows("select id from folders")).length;
    await expire(parent);
    await expire(child);
    expect(await left()).toBe(2);
    for (const id of [parent, child]) await server.done("POST", `/folders/${id}/restore`);
    expect((await server.done("POST", `/files/${fileId}/restore`)).path).toBe("/p/c/a");
    await server.synced();
    await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await server.synced();
    for (const id of [child, parent]) {
      await server.done("DELETE", `/folders/${id}`);
      await expire(id);
    }
    expect(await left()).toBe(0);
  });

  it("leaves no trash folder on the NAS when it is empty", {}, async (server) => {
    const token = await server.key(["files.write"], { tenantId: "acme" });
    for (const asked of [{}, { token }]) {
      const id = await server.makeFolder("f", undefined, asked.token);
      await server.done("DELETE", `/folders/${id}`, asked);
    }
    await server.site.andon.transaction((tx) => tx.query("update trash_metadata set expires_at = 1"));
    expect((await housekeep(server, "empty-trash")).state).toBe("done");
    expect(existsSync(join(server.nasFolder, ".trash"))).toBe(false);
    expect(readdirSync(join(server.nasFolder, ".tenants", "acme"))).toEqual([]);
  });

  it("is emptied of files even while the NAS is away", {}, async (server) => {
    await knownNas(server);
    const folder = await server.makeFolder("f");
    const { fileId } = await server.upload({ name: "a", bytes: "x" });
    await server.done("DELETE", `/folders/${folder}`);
    await server.done("DELETE", `/files/${fileId}`);
    await server.synced();
    await server.site.andon.transaction((tx) => tx.query("update trash_metadata set expires_at = 1"));
    const mount = unmount(server);
    expect(await housekeep(server, "empty-trash")).toMatchObject({ state: "scheduled", attempts: 1 });
    expect(await server.done("GET", "/trash")).toMatchObject({ total: 1, items: [{ id: folder }] });
    expect((await server.refused("GET", `/files/${fileId}`)).error).toBe("FILE_NOT_FOUND");
    mount();
    expect((await housekeep(server, "empty-trash")).state).toBe("done");
    expect(await server.done("GET", "/trash")).toMatchObject({ total: 0 });
  });

  it("and the cache are cleaned every hour", {}, async (server) => {
    for (const name of ["vault-empty-trash", "vault-clean-cache"]) {
      const schedule = await server.site.andon.schedules.get(name);
      expect(schedule).toMatchObject({ queue: "vault", timeZone: "UTC", isActive: true });
      const [first = 0, second = 0] = await server.site.andon.schedules.preview(name, 2);
      expect(second - first).toBe(3_600_000);
    }
  });
});

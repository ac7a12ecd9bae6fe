import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { describeVault, metadataOf, WITHOUT_WORK } from "../harness.ts";

const quiet = { settings: WITHOUT_WORK };
const DAY = 86_400_000;

describeVault("changing a file", (it) => {
  it(
    "renames, moves, trashes and restores at once, each as the next operation of the file",
    quiet,
    async (server) => {
      const folder = await server.makeFolder("docs");
      const { fileId: id } = await server.upload({ name: "a.txt", bytes: "x" });
      const renamed = await server.done("PUT", `/files/${id}/rename`, { body: { newName: "b.txt" } });
      expect(renamed).toMatchObject({ id, name: "b.txt", path: "/b.txt", state: "ACTIVE", queuePosition: 2 });
      const moved = await server.done("POST", `/files/${id}/move`, { body: { targetFolderId: folder } });
      expect(moved).toMatchObject({ folderId: folder, path: "/docs/b.txt", queuePosition: 3 });
      const trashed = await server.done("DELETE", `/files/${id}`);
      expect(trashed).toMatchObject({ id, name: "b.txt", state: "TRASHED", queuePosition: 4 });
      expect(Date.parse(trashed.expiresAt) - Date.parse(trashed.deletedAt)).toBe(30 * DAY);
      expect(await server.done("GET", `/files/${id}`)).toMatchObject({
        state: "TRASHED",
        path: "/docs/b.txt",
      });
      const back = await server.done("POST", `/files/${id}/restore`);
      expect(back).toMatchObject({ path: "/docs/b.txt", state: "ACTIVE", queuePosition: 5 });
      const rows = await server.rows<{ operation_type: string; seq: number; metadata: unknown }>(
        "select operation_type, seq, metadata from file_sync_queue order by seq",
      );
      const paths = rows.map(({ operation_type, seq, metadata }) => {
        const { sourcePath, targetPath } = metadataOf(metadata);
        return [seq, operation_type, sourcePath, targetPath];
      });
      expect(paths).toEqual([
        [1, "UPLOAD", null, "a.txt"],
        [2, "RENAME", "a.txt", "b.txt"],
        [3, "MOVE", "b.txt", "docs/b.txt"],
        [4, "TRASH", "docs/b.txt", `.trash/${id}/b.txt`],
        [5, "RESTORE", `.trash/${id}/b.txt`, "docs/b.txt"],
      ]);
    },
  );

  it("queues an operation even if the file has the name already", quiet, async (server) => {
    const { fileId } = await server.upload({ name: "a.txt" });
    const same = await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "a.txt" } });
    expect(same).toMatchObject({ name: "a.txt", queuePosition: 2 });
    const { error } = await server.refused("POST", "/folders", { body: { name: "a.txt" } });
    expect(error).toBe("NAME_TAKEN");
  });

  it("refuses with the code of the reason", quiet, async (server) => {
    const old = await server.makeFolder("old");
    await server.done("DELETE", `/folders/${old}`);
    const { fileId: a } = await server.upload({ name: "a" });
    await server.upload({ name: "b" });
    const refusal = async (method: string, path: string, body?: unknown) => {
      const { status, error } = await server.refused(method, path, body === undefined ? {} : { body });
      return [status, error];
    };
    const rename = (id: string, newName: string) => refusal("PUT", `/files/${id}/rename`, { newName });
    const move = (id: string, targetFolderId: string) =>
      refusal("POST", `/files/${id}/move`, { targetFolderId });
    expect(await rename(a, "b")).toEqual([409, "NAME_TAKEN"]);
    expect(await rename("nobody", "c")).toEqual([404, "FILE_NOT_FOUND"]);
    expect(await move(a, "nowhere")).toEqual([404, "FOLDER_NOT_FOUND"]);
    expect(await move(a, old)).toEqual([409, "PARENT_TRASHED"]);
    expect(await refusal("POST", `/files/${a}/restore`)).toEqual([409, "NOT_TRASHED"]);
    await server.done("DELETE", `/files/${a}`);
    expect(await server.refused("DELETE", `/files/${a}`)).toMatchObject({
      status: 409,
      error: "FILE_TRASHED",
      message: "The file is in the trash: delete it for good with `?permanent=true`, or restore it.",
    });
    expect(await rename(a, "c")).toEqual([409, "FILE_TRASHED"]);
    expect(await move(a, "root")).toEqual([409, "FILE_TRASHED"]);
    const { message } = await server.refused("PUT", `/files/${a}/rename`, { body: { newName: "c" } });
    expect(message).toBe("The file is in the trash: restore it first.");
    await server.upload({ name: "a", bytes: "another" });
    expect(await refusal("POST", `/files/${a}/restore`)).toEqual([409, "NAME_TAKEN"]);
    expect(await refusal("GET", "/files/nobody")).toEqual([404, "FILE_NOT_FOUND"]);
    expect(await refusal("DELETE", "/files/nobody?permanent=true")).toEqual([404, "FILE_NOT_FOUND"]);
  });

  it("does not restore into a folder that is in the trash or gone", {}, async (server) => {
    const folder = await server.makeFolder("f");
    const { fileId } = await server.upload({ name: "a", folderId: folder });
    await server.done("DELETE", `/files/${fileId}`);
    await server.synced();
    await server.done("DELETE", `/folders/${folder}`);
    const trashed = await server.refused("POST", `/files/${fileId}/restore`);
    expect([trashed.status, trashed.error]).toEqual([409, "PARENT_TRASHED"]);
    await server.site.andon.transaction((tx) => tx.query("delete from folders where id = $1", [folder]));
    const gone = await server.refused("POST", `/files/${fileId}/restore`);
    expect([gone.status, gone.error]).toEqual([404, "FOLDER_NOT_FOUND"]);
  });

  it(
    "deletes for good from the trash and from its folder, and never shows the file again",
    quiet,
    async (server) => {
      const { fileId: active } = await server.upload({ name: "a" });
      const { fileId: trashed } = await server.upload({ name: "b" });
      await server.done("DELETE", `/files/${trashed}`);
      for (const id of [active, trashed]) {
        const deleted = await server.done("DELETE", `/files/${id}?permanent=true`);
        expect(deleted).toMatchObject({ state: "DELETED", expiresAt: null });
        for (const path of [`/files/${id}`, `/files/${id}/content`]) {
          expect((await server.refused("GET", path)).error).toBe("FILE_NOT_FOUND");
        }
        expect((await server.refused("POST", `/files/${id}/restore`)).error).toBe("FILE_NOT_FOUND");
      }
      expect(await server.done("GET", "/trash")).toMatchObject({ total: 0 });
      expect(await server.done("GET", "/files")).toMatchObject({ total: 0 });
      expect((await server.upload({ name: "a" })).name).toBe("a");
    },
  );

  it("copies every change to the NAS", {}, async (server) => {
    const folder = await server.makeFolder("docs");
    const { fileId } = await server.upload({ name: "a.txt", bytes: "bytes" });
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b.txt" } });
    await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: folder } });
    await server.synced();
    expect(readFileSync(join(server.nasFolder, "docs/b.txt"), "utf8")).toBe("bytes");
    expect(await server.done("GET", `/files/${fileId}`)).toMatchObject({
      storage: [{ availabilityStatus: "AVAILABLE" }, { availabilityStatus: "AVAILABLE" }],
    });
    await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await server.synced();
    expect(await server.rows("select id from files")).toEqual([]);
    expect(await server.rows("select id from file_storage_objects")).toEqual([]);
  });
});

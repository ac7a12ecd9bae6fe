import { readdirSync } from "node:fs";
import { expect } from "vitest";
import { describeFlaky } from "./flaky-vault.ts";

describeFlaky("an operation whose worker dies between the NAS and the commit", (it) => {
  it("ends in the same place when it runs again", async (vault) => {
    const { server, nas } = vault;
    const folder = await server.makeFolder("f");
    nas.dieAfterNext("put");
    const { fileId } = await server.upload({ name: "a", bytes: "bytes" });
    await server.synced();
    expect(vault.onNas()).toEqual({ a: "bytes" });

    const steps: [method: string, path: string, body: unknown, end: string][] = [
      ["PUT", `/files/${fileId}/rename`, { newName: "b" }, "b"],
      ["POST", `/files/${fileId}/move`, { targetFolderId: folder }, "f/b"],
      ["DELETE", `/files/${fileId}`, undefined, `.trash/${fileId}/b`],
      ["POST", `/files/${fileId}/restore`, undefined, "f/b"],
    ];
    for (const [method, path, body, end] of steps) {
      nas.dieAfterNext("move");
      await server.done(method, path, { body });
      await server.synced();
      expect(vault.onNas()).toEqual({ [end]: "bytes" });
      expect(await vault.availability(fileId)).toBe("AVAILABLE");
    }

    nas.dieAfterNext("remove");
    await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await server.synced();
    expect(vault.onNas()).toEqual({});
    expect(await server.rows("select * from file_storage_objects")).toEqual([]);
    const died = await server.rows("select code from andon_attempts where outcome = 'failed'");
    expect(died).toHaveLength(6);
  });

  it("leaves an unfinished file, which the next run removes", async (vault) => {
    const { server, nas } = vault;
    nas.dieMidWrite(3);
    await server.upload({ name: "a", bytes: "half a file" });
    await server.synced();
    expect(vault.onNas()).toEqual({ a: "half a file" });
  });

  it("removes the empty folder that it left, in its next run", async (vault) => {
    const { server, nas } = vault;
    const folder = await server.makeFolder("f");
    const { fileId } = await server.upload({ name: "a", bytes: "x", folderId: folder });
    await server.synced();
    nas.dieAfterNext("move");
    await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: "root" } });
    await server.synced();
    expect(readdirSync(vault.nasFolder).sort()).toEqual([".andon-nas", "a"]);
  });
});

describeFlaky("a worker that lost its claim", (it) => {
  it("renames nothing late", async (vault) => {
    const { server, nas } = vault;
    const { fileId } = await server.upload({ name: "a", bytes: "x" });
    await server.synced();
    const hang = nas.hangNext("move");
    const { syncQueueId } = await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b" } });
    await hang.reached;
    await server.done("POST", `/admin/jobs/${syncQueueId}/cancel`);
    await server.synced();
    expect(vault.onNas()).toEqual({ a: "x" });
    expect(await vault.availability(fileId)).toBe("ERROR");
    hang.release();
    await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "c" } });
    await server.synced();
    expect(vault.onNas()).toEqual({ c: "x" });
    expect(await vault.availability(fileId)).toBe("AVAILABLE");
  });
});

import { expect } from "vitest";
import { describeFlaky } from "./flaky-vault.ts";

describeFlaky("a file that the NAS cannot have", (it) => {
  it("is deleted for good where its path is too long", async (vault) => {
    const { server } = vault;
    let folderId = "root";
    for (let n = 0; n < 20; n++) folderId = await server.makeFolder("n".repeat(250), folderId);
    const { fileId } = await server.upload({ name: "a", folderId, bytes: "bytes" });
    await vault.untilHeld(fileId);
    await server.done("DELETE", `/files/${fileId}?permanent=true`);
    await server.done("POST", `/admin/sync-queue/${fileId}/skip`, { body: { reason: "it is deleted" } });
    await server.synced();
    expect(await server.done("GET", "/admin/sync-queue/held")).toMatchObject({ total: 0 });
    expect(await server.rows("select id from files")).toEqual([]);
    expect(await server.done("DELETE", `/folders/${folderId}`)).toMatchObject({ state: "TRASHED" });
    expect(vault.onNas()).toEqual({});
  });
});

import { expect } from "vitest";
import { describeFlaky } from "./flaky-vault.ts";

describeFlaky("a file that the NAS cannot have", (it) => {
  it("is deleted for good if its path is too long", async (vault) => {
    const { server } = vault;
    let folderId = "root";
    // 4,095 bytes with the file: allowed as a path, but too long after the root of the NAS.
    for (let n = 0; n < 15; n++) folderId = await server.makeFolder("n".repeat(255), folderId);
    const { fileId } = await server.upload({ name: "a".repeat(255), folderId, bytes: "bytes" });
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

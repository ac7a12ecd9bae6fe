import { expect } from "vitest";
import { describeVault, type VaultServer, WITHOUT_WORK } from "../harness.ts";

const setUp = { settings: WITHOUT_WORK };

async function auditOf(server: VaultServer, target: string) {
  const { items } = await server.done("GET", `/admin/audit?target=${target}`);
  return items;
}

describeVault("the audit log", (it) => {
  it("has one row for each file that is deleted for good", setUp, async (server) => {
    const token = await server.key(["files.read", "files.write"], { tenantId: "acme" });
    const { fileId } = await server.upload({ name: "a", bytes: "x", token });
    await server.done("DELETE", `/files/${fileId}`, { token });
    expect(await auditOf(server, `file:${fileId}`)).toEqual([]);
    await server.done("DELETE", `/files/${fileId}?permanent=true`, { token });
    expect(await auditOf(server, `file:${fileId}`)).toMatchObject([
      {
        actor: expect.stringMatching(/^key:/),
        action: "file.purge",
        reason: null,
        before: { name: "a", state: "TRASHED" },
        after: { state: "DELETED" },
      },
    ]);
    const refused = await server.refused("DELETE", `/files/${fileId}?permanent=true`, { token });
    expect(refused).toMatchObject({ status: 404 });
    expect(await auditOf(server, `file:${fileId}`)).toHaveLength(1);
  });

  it("records the reason for restoring a file or a folder", setUp, async (server) => {
    const { fileId } = await server.upload({ name: "a", bytes: "x" });
    const folderId = await server.makeFolder("f");
    const restored = { state: "ACTIVE" };
    for (const [kind, id, path] of [
      ["file", fileId, "/a"],
      ["folder", folderId, "/f"],
    ] as const) {
      await server.done("DELETE", `/${kind}s/${id}`);
      const body = { reason: ` needs the ${kind} ` };
      expect(await server.done("POST", `/${kind}s/${id}/restore`, { body })).toMatchObject(restored);
      expect(await auditOf(server, `${kind}:${id}`)).toMatchObject([
        {
          action: `${kind}.restore`,
          reason: `needs the ${kind}`,
          before: { state: "TRASHED" },
          after: { state: "ACTIVE", path },
        },
      ]);
      expect(await server.refused("POST", `/${kind}s/${id}/restore`)).toMatchObject({ status: 409 });
      expect(await auditOf(server, `${kind}:${id}`)).toHaveLength(1);
    }
  });
});

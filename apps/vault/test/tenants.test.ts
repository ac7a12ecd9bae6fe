import { expect } from "vitest";
import { describeVault, type VaultServer, WITHOUT_WORK } from "./harness.ts";

const quiet = { settings: WITHOUT_WORK };

/**
 * A folder of the tenant `acme` with a file, and three keys: of `acme`, of another tenant, and without a tenant and
 * `admin`.
 */
async function acme(server: VaultServer) {
  const permissions = ["files.read", "files.write"] as const;
  const own = await server.key([...permissions], { tenantId: "acme" });
  const foreign = await server.key([...permissions], { tenantId: "other" });
  const unscoped = await server.key([...permissions]);
  const folderId = await server.makeFolder("papers", undefined, own);
  const { fileId } = await server.upload({ name: "a.txt", bytes: "hello", folderId, token: own });
  return { own, foreign, unscoped, folderId, fileId };
}

describeVault("tenants", (it) => {
  it("do not limit a key without a tenant: it reads any file or folder by its id", quiet, async (server) => {
    const { foreign, unscoped, folderId, fileId } = await acme(server);
    const reads = [
      [`/files/${fileId}`, { path: "/papers/a.txt" }],
      [`/files/${fileId}/content`, "hello"],
      [`/files/${fileId}/sync-status`, { fileId, queueStatus: "PENDING" }],
      [`/folders/${folderId}`, { path: "/papers", children: { total: 1 } }],
    ] as const;
    for (const [path, expected] of reads) {
      for (const token of [server.adminToken, unscoped]) {
        const { status, body } = await server.ask("GET", path, { token });
        expect([path, status]).toEqual([path, 200]);
        if (typeof expected === "string") expect(body).toBe(expected);
        else expect(body).toMatchObject(expected);
      }
      expect([path, (await server.ask("GET", path, { token: foreign })).status]).toEqual([path, 404]);
    }
    // Lists and the root belong to one tenant.
    expect(await server.done("GET", "/files")).toMatchObject({ total: 0 });
    expect(await server.done("GET", "/folders/root")).toMatchObject({ children: { total: 0 } });
  });

  it("stay the same when a key without a tenant changes items", quiet, async (server) => {
    const { own, foreign, folderId, fileId } = await acme(server);
    const renamed = await server.done("PUT", `/files/${fileId}/rename`, { body: { newName: "b.txt" } });
    expect(renamed.path).toBe("/papers/b.txt");
    const inner = await server.makeFolder("inner", folderId);
    await server.upload({ name: "c.txt", folderId: inner });
    await server.upload({ name: "d.txt", folderId: inner, headers: { "idempotency-key": "k" } });
    await server.done("POST", `/files/${fileId}/move`, { body: { targetFolderId: inner } });
    const moved = await server.done("PUT", `/folders/${inner}/rename`, { body: { newName: "deep" } });
    expect(moved.affectedFiles).toBe(3);
    expect(await server.done("GET", `/folder-operations/${moved.operationId}`)).toMatchObject({ total: 3 });
    await server.done("DELETE", `/files/${fileId}`);
    await server.done("POST", `/files/${fileId}/restore`);
    const tables = ["files", "folders", "vault_names", "folder_operations"];
    for (const table of tables)
      expect([table, await server.rows(`select distinct tenant_id from ${table}`)]).toEqual([
        table,
        [{ tenant_id: "acme" }],
      ]);
    const shown = await server.done("GET", `/folders/${inner}`, { token: own });
    expect(shown).toMatchObject({ path: "/papers/deep", children: { total: 3 } });

    const elsewhere = await server.makeFolder("elsewhere");
    const body = { targetFolderId: elsewhere };
    expect((await server.refused("POST", `/files/${fileId}/move`, { body })).error).toBe("FOLDER_NOT_FOUND");
    for (const [method, path] of [
      ["DELETE", `/files/${fileId}`],
      ["DELETE", `/folders/${inner}`],
    ] as const)
      expect((await server.refused(method, path, { token: foreign })).status).toBe(404);
    const wish = { name: "x", folderId: inner, token: foreign };
    expect((await server.uploadReply(wish)).body.error).toBe("FOLDER_NOT_FOUND");
  });
});

import { expect } from "vitest";
import { describeVault, type VaultServer, WITHOUT_WORK } from "../harness.ts";

const REFUSED = [400, "FOLDER_PATH_TOO_LONG"];

/**
 * Creates a chain of folders in the database, because a request for each would be slow. Returns their ids, the topmost
 * first.
 */
async function chain(server: VaultServer, names: readonly string[], parentId = "root"): Promise<string[]> {
  const ids = [parentId];
  await server.site.andon.transaction(async (tx) => {
    for (const [index, name] of names.entries()) {
      const id = `${parentId}-${name.slice(0, 8)}-${index}`;
      await tx.query(
        `insert into folders (id, tenant_id, parent_id, name, sort_name, state, created_at, updated_at)
values ($1, 'default', $2, $3, $3, 'ACTIVE', 1, 1)`,
        [id, ids.at(-1), name],
      );
      ids.push(id);
    }
  });
  return ids.slice(1);
}

describeVault("paths", (it) => {
  it("have at most 100 folders", { settings: WITHOUT_WORK }, async (server) => {
    const deep = await chain(
      server,
      Array.from({ length: 100 }, (_, n) => `d${n}`),
    );
    const [bottom, above] = [deep.at(-1) as string, deep.at(-2) as string];
    const refused = async (method: string, path: string, body?: unknown) => {
      const { status, body: problem } = await server.ask(method, path, body === undefined ? {} : { body });
      expect([path, status, problem.error]).toEqual([path, ...REFUSED]);
    };
    await refused("POST", "/folders", { name: "x", parentId: bottom });
    expect((await server.ask("POST", "/folders", { body: { name: "x", parentId: above } })).status).toBe(201);
    expect((await server.uploadReply({ name: "a.txt", folderId: bottom })).status).toBe(200);
    const [top, below] = await chain(server, ["top", "below"]);
    await refused("POST", `/folders/${top}/move`, { targetFolderId: above });
    expect(
      (await server.done("POST", `/folders/${below}/move`, { body: { targetFolderId: above } })).path,
    ).toMatch(/below$/);
  });

  it("have at most 4,096 bytes", { settings: WITHOUT_WORK }, async (server) => {
    const names = Array.from({ length: 16 }, (_, n) => `${n % 10}${"가".repeat(80)}`);
    const long = await chain(server, names);
    const [top, bottom] = [long[0] as string, long.at(-1) as string];
    const { path } = await server.done("GET", `/folders/${bottom}`);
    const room = 4_096 - Buffer.byteLength(path) - 1;
    const [fits, tooLong] = ["n".repeat(room), "n".repeat(room + 1)];
    const codeOf = ({ status, body }: { status: number; body: { error?: string } }) => [status, body.error];
    const upload = (name: string, bytes = "") => server.uploadReply({ name, folderId: bottom, bytes });
    expect(codeOf(await upload(tooLong))).toEqual(REFUSED);
    expect(codeOf(await upload(tooLong, "x".repeat(2_000_000)))).toEqual(REFUSED);
    const { fileId } = (await upload(fits)).body;
    const rename = await server.ask("PUT", `/files/${fileId}/rename`, { body: { newName: tooLong } });
    expect(codeOf(rename)).toEqual(REFUSED);
    const other = await server.upload({ name: tooLong });
    const move = { body: { targetFolderId: bottom } };
    expect(codeOf(await server.ask("POST", `/files/${other.fileId}/move`, move))).toEqual(REFUSED);
    // A longer name of the top folder makes all paths below it longer.
    const longer = { body: { newName: `${names[0]}x` } };
    expect(codeOf(await server.ask("PUT", `/folders/${top}/rename`, longer))).toEqual(REFUSED);
    await server.done("DELETE", `/files/${fileId}`);
    expect(codeOf(await server.ask("PUT", `/folders/${top}/rename`, longer))).toEqual([200, undefined]);
    expect(codeOf(await server.ask("POST", `/files/${fileId}/restore`))).toEqual(REFUSED);
  });
});

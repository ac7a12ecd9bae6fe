import { expect } from "vitest";
import { describeVault, metadataOf, WITHOUT_WORK } from "../harness.ts";

const quiet = { settings: WITHOUT_WORK };

describeVault("folders", (it) => {
  it("are created, shown, renamed and moved with their paths", quiet, async (server) => {
    const { status, body: a } = await server.ask("POST", "/folders", { body: { name: "프로젝트" } });
    expect([status, a]).toEqual([
      201,
      { id: expect.any(String), name: "프로젝트", parentId: "root", path: "/프로젝트", state: "ACTIVE" },
    ]);
    const b = await server.makeFolder("b", a.id);
    const c = await server.makeFolder("c");
    expect(await server.done("GET", "/folders/root")).toMatchObject({
      id: "root",
      parentId: null,
      path: "/",
    });
    expect(await server.done("GET", `/folders/${b}`)).toMatchObject({ path: "/프로젝트/b", parentId: a.id });
    const moved = await server.done("POST", `/folders/${a.id}/move`, { body: { targetFolderId: c } });
    expect(moved).toMatchObject({ path: "/c/프로젝트", parentId: c, affectedFiles: 0, operationId: null });
    const renamed = await server.done("PUT", `/folders/${c}/rename`, { body: { newName: "d" } });
    expect(renamed).toMatchObject({ name: "d", path: "/d" });
    expect(await server.done("GET", `/folders/${b}`)).toMatchObject({ path: "/d/프로젝트/b" });
  });

  it("are created once per idempotency key", quiet, async (server) => {
    const headers = { "idempotency-key": "f1" };
    const make = (name: string) => server.ask("POST", "/folders", { body: { name }, headers });
    const [first, second] = await Promise.all([make("a"), make("a")]);
    expect([first.status, second.body]).toEqual([201, first.body]);
    expect((await make("b")).body.error).toBe("IDEMPOTENCY_CONFLICT");
  });

  it(
    "are created once per idempotency key of one caller, even if two API keys have one name",
    quiet,
    async (server) => {
      const headers = { "idempotency-key": "f1" };
      const made = async (token: string, name: string) => {
        const { status, body } = await server.ask("POST", "/folders", { body: { name }, token, headers });
        return { status, id: body.id as string };
      };
      // Both keys have the same name and the same tenant.
      const [one, other] = [await server.key(["files.write"]), await server.key(["files.write"])];
      const first = await made(one, "a");
      const second = await made(other, "b");
      expect([first.status, second.status]).toEqual([201, 201]);
      expect(second.id).not.toBe(first.id);
      expect(await made(one, "a")).toEqual(first);

      const login = await server.ask("POST", "/login", { token: null, body: { token: one } });
      const cookie = login.headers.get("set-cookie")?.split(";")[0];
      const bySession = { ...headers, cookie, "sec-fetch-site": "same-origin" } as Record<string, string>;
      const again = await server.ask("POST", "/folders", {
        token: null,
        body: { name: "a" },
        headers: bySession,
      });
      expect(again.body.id).toBe(first.id);
    },
  );

  it("refuse with the code of the reason", quiet, async (server) => {
    const a = await server.makeFolder("a");
    const b = await server.makeFolder("b", a);
    const old = await server.makeFolder("old");
    await server.done("DELETE", `/folders/${old}`);
    const refusal = async (method: string, path: string, body?: unknown) => {
      const { status, error } = await server.refused(method, path, body === undefined ? {} : { body });
      return [status, error];
    };
    const make = (name: string, parentId: string) => refusal("POST", "/folders", { name, parentId });
    const move = (id: string, targetFolderId: string) =>
      refusal("POST", `/folders/${id}/move`, { targetFolderId });
    const rename = (id: string, newName: string) => refusal("PUT", `/folders/${id}/rename`, { newName });
    expect(await make("a", "root")).toEqual([409, "NAME_TAKEN"]);
    expect(await make("x", "nowhere")).toEqual([404, "FOLDER_NOT_FOUND"]);
    expect(await make("x", old)).toEqual([409, "PARENT_TRASHED"]);
    expect(await move(a, b)).toEqual([409, "FOLDER_CYCLE"]);
    expect(await move(a, a)).toEqual([409, "FOLDER_CYCLE"]);
    expect(await move(a, old)).toEqual([409, "PARENT_TRASHED"]);
    expect(await move(a, "nowhere")).toEqual([404, "FOLDER_NOT_FOUND"]);
    expect(await move("nobody", a)).toEqual([404, "FOLDER_NOT_FOUND"]);
    expect(await move("root", a)).toEqual([400, "ROOT_FOLDER"]);
    expect(await rename("root", "x")).toEqual([400, "ROOT_FOLDER"]);
    expect(await rename(old, "x")).toEqual([400, "FOLDER_ALREADY_TRASHED"]);
    expect(await refusal("GET", "/folders/nobody")).toEqual([404, "FOLDER_NOT_FOUND"]);
    await server.upload({ name: "b" });
    expect(await move(b, "root")).toEqual([409, "NAME_TAKEN"]);
    expect(await rename(a, "b")).toEqual([409, "NAME_TAKEN"]);
    expect(await refusal("GET", "/folder-operations/nobody")).toEqual([404, "OPERATION_NOT_FOUND"]);
  });

  it("list folders before files, each by name, page by page", quiet, async (server) => {
    for (const name of ["b", "A", "c"]) await server.makeFolder(name);
    for (const name of ["z.txt", "Y.txt", "x%.txt", "한글.txt"]) await server.upload({ name });
    const names = async (query: string) => {
      const { children } = await server.done("GET", `/folders/root?${query}`);
      return [children.total, ...children.items.map((item: { name: string }) => item.name)];
    };
    const all = ["A", "b", "c", "x%.txt", "Y.txt", "z.txt", "한글.txt"];
    expect(await names("")).toEqual([7, ...all]);
    expect(await names("limit=2&page=1")).toEqual([7, ...all.slice(0, 2)]);
    expect(await names("limit=2&page=2")).toEqual([7, ...all.slice(2, 4)]);
    expect(await names("limit=2&page=4")).toEqual([7, ...all.slice(6)]);
    expect(await names("limit=2&page=9")).toEqual([7]);
    expect(await names("text=TXT")).toEqual([4, "x%.txt", "Y.txt", "z.txt", "한글.txt"]);
    expect(await names("text=%25")).toEqual([1, "x%.txt"]);
    expect(await names("text=_")).toEqual([0]);
    expect(await names(`text=${encodeURIComponent("한".normalize("NFD"))}`)).toEqual([1, "한글.txt"]);
    const { children } = await server.done("GET", "/folders/root?text=z.txt");
    expect(children.items[0]).toMatchObject({ kind: "file", queueStatus: "PENDING", path: "/z.txt" });
    const found = await server.done("GET", "/files?text=Y.TXT&availabilityStatus=PENDING");
    expect([found.total, found.items[0].name]).toEqual([1, "Y.txt"]);
    expect(await server.done("GET", "/files?availabilityStatus=ERROR")).toMatchObject({
      total: 0,
      items: [],
    });
  });

  it("show a file as idle when the NAS is up to date", {}, async (server) => {
    await server.upload({ name: "a", bytes: "a" });
    await server.synced();
    const { children } = await server.done("GET", "/folders/root");
    expect(children.items[0]).toMatchObject({ name: "a", queueStatus: "IDLE" });
  });

  it("of one tenant are not found by another", quiet, async (server) => {
    const token = await server.key(["files.read", "files.write"], { tenantId: "shop" });
    const foreign = await server.key(["files.read", "files.write"], { tenantId: "default" });
    const folder = await server.makeFolder("mine", undefined, token);
    const { fileId } = await server.upload({ name: "a", folderId: folder, token });
    const [{ metadata }] = (await server.rows<{ metadata: unknown }>(
      "select metadata from file_sync_queue",
    )) as [{ metadata: unknown }];
    expect(metadataOf(metadata).targetPath).toBe(".tenants/shop/mine/a");
    const attempts: [string, string, unknown?][] = [
      ["GET", `/files/${fileId}`],
      ["GET", `/files/${fileId}/content`],
      ["DELETE", `/files/${fileId}`],
      ["DELETE", `/files/${fileId}?permanent=true`],
      ["POST", `/files/${fileId}/restore`],
      ["POST", `/files/${fileId}/move`, { targetFolderId: "root" }],
      ["PUT", `/files/${fileId}/rename`, { newName: "x" }],
      ["GET", `/folders/${folder}`],
      ["DELETE", `/folders/${folder}`],
      ["POST", `/folders/${folder}/restore`],
      ["POST", `/folders/${folder}/move`, { targetFolderId: "root" }],
      ["PUT", `/folders/${folder}/rename`, { newName: "x" }],
      ["POST", "/folders", { name: "x", parentId: folder }],
    ];
    for (const [method, path, body] of attempts) {
      const asked = { token: foreign, ...(body === undefined ? {} : { body }) };
      const { status } = await server.refused(method, path, asked);
      expect([method, path, status]).toEqual([method, path, 404]);
    }
    expect((await server.uploadReply({ name: "x", folderId: folder, token: foreign })).status).toBe(404);
    expect(await server.done("GET", "/files")).toMatchObject({ total: 0 });
    expect(await server.done("GET", "/files", { token })).toMatchObject({ total: 1 });
    const odd = await server.key(["files.write"], { tenantId: "../up" });
    const refused = await server.refused("POST", "/folders", { body: { name: "x" }, token: odd });
    expect(refused.error).toBe("INVALID_NAME");
    const { body } = await server.uploadReply({ name: "x", token: odd });
    expect(body.error).toBe("INVALID_NAME");
  });
});

import { createHash } from "node:crypto";
import { connect } from "node:net";
import { expect } from "vitest";
import { describeVault, until, type VaultServer, WITHOUT_WORK } from "../harness.ts";
import { cachedFiles } from "./cached.ts";

const sha256 = (bytes: string | Uint8Array) => createHash("sha256").update(bytes).digest("hex");

const cached = ({ cacheFolder }: VaultServer) => cachedFiles(cacheFolder);

async function mustBeEmpty(server: VaultServer): Promise<void> {
  expect(cached(server)).toEqual([]);
  for (const table of ["files", "file_storage_objects", "vault_names", "vault_operations"]) {
    expect(await server.rows(`select * from ${table}`)).toEqual([]);
  }
}

const quiet = { settings: WITHOUT_WORK };

describeVault("uploading", (it) => {
  it("stores the bytes at once and queues their upload to the NAS", quiet, async (server) => {
    const bytes = "hello";
    const made = await server.upload({ name: "보고서.pdf", bytes, mimeType: "application/pdf" });
    expect(made).toEqual({
      fileId: expect.any(String),
      name: "보고서.pdf",
      folderId: "root",
      size: 5,
      sha256: sha256(bytes),
      syncQueueId: expect.any(String),
      queuePosition: 1,
    });
    const file = await server.done("GET", `/files/${made.fileId}`);
    expect(file).toMatchObject({
      path: "/보고서.pdf",
      state: "ACTIVE",
      mimeType: "application/pdf",
      storage: [
        { type: "CACHE", availabilityStatus: "AVAILABLE" },
        { type: "NAS", availabilityStatus: "PENDING" },
      ],
    });
    expect(await server.rows("select operation_type, file_id, seq, status from file_sync_queue")).toEqual([
      { operation_type: "UPLOAD", file_id: made.fileId, seq: 1, status: "PENDING" },
    ]);
    const { fileId } = await server.upload({ name: "empty", bytes: "" });
    expect(await server.done("GET", `/files/${fileId}`)).toMatchObject({ size: 0, sha256: sha256("") });
    expect(await server.done("GET", `/files/${fileId}/content`)).toBe("");
  });

  it("refuses what cannot become a file, and leaves nothing of it", quiet, async (server) => {
    const taken = await server.upload({ name: "a.txt", bytes: "first" });
    const trashed = await server.makeFolder("old");
    await server.done("DELETE", `/folders/${trashed}`);
    const refusal = async (wish: Parameters<VaultServer["uploadReply"]>[0]) => {
      const { status, body } = await server.uploadReply(wish);
      return [status, body.error];
    };
    expect(await refusal({ name: "a.txt", bytes: "second" })).toEqual([409, "NAME_TAKEN"]);
    expect(await refusal({ name: "a.txt".normalize("NFD"), bytes: "second" })).toEqual([409, "NAME_TAKEN"]);
    expect(await refusal({ name: "b", folderId: "no-such-folder" })).toEqual([404, "FOLDER_NOT_FOUND"]);
    expect(await refusal({ name: "b", folderId: trashed })).toEqual([409, "PARENT_TRASHED"]);
    expect(cached(server)).toHaveLength(1);
    expect(await server.rows("select id from files")).toEqual([{ id: taken.fileId }]);
  });

  it("refuses a form other than an optional folder and one file", quiet, async (server) => {
    const ask = async (...fields: [string, string | Blob][]) => {
      const form = new FormData();
      for (const [name, value] of fields) form.append(name, value as string);
      const { status, body } = await server.ask("POST", "/files/upload", { body: form });
      return [status, body.error];
    };
    const file = new Blob(["x"]);
    const incomplete = [400, "UPLOAD_INCOMPLETE"];
    expect(await ask(["file", file], ["folderId", "root"])).toEqual(incomplete);
    expect(await ask(["file", file], ["file", file])).toEqual(incomplete);
    expect(await ask(["folderId", "root"])).toEqual(incomplete);
    expect(await ask(["file", "no file name"])).toEqual(incomplete);
    expect(await ask(["other", file], ["file", file])).toEqual(incomplete);
    expect(await ask(["folderId", "root"], ["folderId", "root"], ["file", file])).toEqual(incomplete);
    const notAForm = await server.refused("POST", "/files/upload", { body: { file: "x" } });
    expect(notAForm.status).toBe(415);
    await mustBeEmpty(server);
  });

  it("checks the id of the folder as it checks other ids", quiet, async (server) => {
    // So long that the answer arrives only if the rest is drained.
    const bytes = "x".repeat(3_000_000);
    for (const folderId of ["a\0b", "a".repeat(101)]) {
      const { status, body } = await server.uploadReply({ name: "a.txt", bytes, folderId });
      expect([status, body.error, body.details]).toEqual([
        400,
        "VALIDATION_FAILED",
        [{ in: "body", field: "folderId", message: expect.any(String) }],
      ]);
    }
    expect((await server.upload({ name: "a.txt", folderId: "" })).folderId).toBe("root");
  });

  it("creates files from many uploads at once, and refuses only invalid ones", quiet, async (server) => {
    const folderId = await server.makeFolder("inbox");
    const wishes = Array.from({ length: 30 }, (_, n) => ({
      name: `file-${Math.min(n, 26)}`,
      bytes: `bytes of ${n}`,
      ...(n % 3 === 0 ? { folderId } : {}),
      ...(n === 7 ? { folderId: "nowhere" } : {}),
    }));
    const replies = await Promise.all(wishes.map((wish) => server.uploadReply(wish)));
    const refused = replies.filter(({ status }) => status !== 200).map(({ body }) => body.error);
    // 26 to 29 have one name; 27 is in the folder.
    expect(refused.sort()).toEqual(["FOLDER_NOT_FOUND", "NAME_TAKEN", "NAME_TAKEN"]);
    const made = replies.flatMap(({ status, body }) => (status === 200 ? [body.fileId] : []));
    const stored = await server.rows<{ id: string }>("select id from files");
    expect(stored.map(({ id }) => id).sort()).toEqual([...made].sort());
    expect(new Set(replies.map(({ body }) => body.queuePosition ?? 1))).toEqual(new Set([1]));
    expect(cached(server)).toHaveLength(made.length);
    const [counts] =
      await server.rows(`select (select count(*) from vault_names where kind = 'file') as names,
(select count(*) from file_storage_objects) as objects, (select count(*) from file_sync_queue) as operations`);
    expect(counts).toEqual({ names: made.length, objects: 2 * made.length, operations: made.length });
    for (const [n, { status, body }] of replies.entries()) {
      if (status === 200)
        expect(await server.done("GET", `/files/${body.fileId}/content`)).toBe(`bytes of ${n}`);
    }
  });

  it("refuses a file without a file name, and gives that reason", quiet, async (server) => {
    const boundary = "nameless";
    const part = [
      'content-disposition: form-data; name="file"',
      "content-type: application/octet-stream",
      "",
      "hello",
    ].join("\r\n");
    const response = await fetch(new URL("/files/upload", server.url), {
      method: "POST",
      headers: {
        authorization: `Bearer ${server.adminToken}`,
        "accept-language": "en",
        "content-type": `multipart/form-data; boundary=${boundary}`,
      },
      body: `--${boundary}\r\n${part}\r\n--${boundary}--\r\n`,
    });
    expect([response.status, await response.json()]).toMatchObject([
      400,
      { error: "INVALID_NAME", details: { name: "", problem: "it is blank" } },
    ]);
    await mustBeEmpty(server);
  });

  it("refuses a file that is too large", {
    ...quiet,
    vault: { maxUploadSize: 1_000_000 },
  }, async (server) => {
    const bytes = new Uint8Array(5_000_000);
    const { status, body } = await server.uploadReply({ name: "large", bytes });
    expect([status, body.error]).toEqual([413, "UPLOAD_TOO_LARGE"]);
    await mustBeEmpty(server);
    const fits = await server.upload({ name: "fits", bytes: bytes.subarray(0, 1_000_000) });
    expect(fits.size).toBe(1_000_000);
  });

  it("leaves nothing of an upload that breaks off", quiet, async (server) => {
    await breakOff(server, { finishFile: false });
    await breakOff(server, { finishFile: true });
    await until(async () => cached(server).length === 0);
    await mustBeEmpty(server);
  });

  it("answers a repeated request with the first answer", quiet, async (server) => {
    const wish = { name: "a.txt", bytes: "one", headers: { "idempotency-key": "k1" } };
    const [first, second] = await Promise.all([server.upload(wish), server.upload(wish)]);
    expect(second).toEqual(first);
    expect(await server.upload(wish)).toEqual(first);
    expect(cached(server)).toHaveLength(1);
    for (const [language, message] of [
      ["en", "it must have 1 to 255 characters"],
      ["ko", "1자 이상 255자 이하여야 합니다"],
    ] as const) {
      const headers = { "idempotency-key": "k".repeat(256), "accept-language": language };
      const { status, body } = await server.uploadReply({ ...wish, headers });
      expect([status, body.error]).toEqual([400, "VALIDATION_FAILED"]);
      expect(body.details).toEqual([{ in: "header", field: "Idempotency-Key", message }]);
    }
    const other = await server.uploadReply({ ...wish, bytes: "two" });
    expect([other.status, other.body.error]).toEqual([409, "IDEMPOTENCY_CONFLICT"]);
    expect(cached(server)).toHaveLength(1);
    expect(await server.rows("select id from files")).toEqual([{ id: first.fileId }]);
  });
});

/** Sends the beginning of an upload and cuts the connection. */
async function breakOff(server: VaultServer, { finishFile }: { finishFile: boolean }): Promise<void> {
  const { port, hostname } = new URL(server.url);
  const socket = connect(Number(port), hostname);
  const boundary = "cut";
  const file = "x".repeat(2_000_000);
  socket.write(
    [
      "POST /files/upload HTTP/1.1",
      `host: ${hostname}`,
      `authorization: Bearer ${server.adminToken}`,
      `content-type: multipart/form-data; boundary=${boundary}`,
      "content-length: 3000000",
      "",
      `--${boundary}`,
      'content-disposition: form-data; name="file"; filename="cut.bin"',
      "",
      file,
    ].join("\r\n"),
  );
  if (finishFile) {
    const more = `\r\n--${boundary}\r\ncontent-disposition: form-data; name="more"\r\n\r\nand so on`;
    await new Promise<void>((resolve) => socket.write(more, () => resolve()));
  }
  await until(async () => cached(server).length > 0);
  await new Promise<void>((resolve) => socket.once("close", () => resolve()).destroy());
}

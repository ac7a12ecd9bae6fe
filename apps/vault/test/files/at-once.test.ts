import { connect } from "node:net";
import { expect } from "vitest";
import { describeVault, metadataOf, WITHOUT_WORK } from "../harness.ts";

const quiet = { settings: WITHOUT_WORK };

/** The number of uploads that 32 MB allow, and the number of further ones. */
const [ALLOWED, REFUSED] = [256, 20];

describeVault("requests at once", (it) => {
  it(
    "of one key that stall in the middle of an upload are limited in their number",
    quiet,
    async (server) => {
      const { port, hostname } = new URL(server.url);
      const half = [
        "POST /files/upload HTTP/1.1",
        `host: ${hostname}`,
        `authorization: Bearer ${await server.key(["files.write"])}`,
        "content-type: multipart/form-data; boundary=half",
        "content-length: 3000000",
        "",
        "--half",
        'content-disposition: form-data; name="file"; filename="half.bin"',
        "",
        "half",
      ].join("\r\n");
      const answers: string[] = [];
      const sockets = Array.from({ length: ALLOWED + REFUSED }, () => {
        const socket = connect(Number(port), hostname).on("data", (data) => answers.push(data.toString()));
        socket.on("error", () => {}).write(half);
        return socket;
      });
      await expect.poll(() => answers.length, { timeout: 30_000 }).toBe(REFUSED);
      for (const answer of answers) expect(answer).toMatch(/^HTTP\/1\.1 429 [\s\S]*BODIES_IN_FLIGHT/);
      await server.upload({ name: "of somebody else" });
      for (const socket of sockets) socket.destroy();
    },
  );

  it("give a name to exactly one of many competing files and folders", quiet, async (server) => {
    const folder = await server.makeFolder("in");
    for (const folderId of ["root", folder]) {
      const files = await Promise.all(
        Array.from({ length: 8 }, (_, index) => server.upload({ name: `f${index}`, folderId })),
      );
      const replies = await Promise.all([
        ...files.map(({ fileId }) =>
          server.ask("PUT", `/files/${fileId}/rename`, { body: { newName: "wanted" } }),
        ),
        ...[1, 2, 3, 4].map(() => server.uploadReply({ name: "wanted", folderId })),
        ...[1, 2, 3, 4].map(() =>
          server.ask("POST", "/folders", { body: { name: "wanted", parentId: folderId } }),
        ),
      ]);
      const won = replies.filter(({ status }) => status < 300);
      const lost = replies.filter(({ body }) => body.error === "NAME_TAKEN");
      expect([won.length, lost.length]).toEqual([1, replies.length - 1]);
    }
  });

  it("on one file run one after another, each on the result of the previous one", quiet, async (server) => {
    const folders = await Promise.all(["x", "y", "z"].map((name) => server.makeFolder(name)));
    const { fileId: id } = await server.upload({ name: "a" });
    const changes = folders.flatMap((targetFolderId, index) => [
      server.ask("POST", `/files/${id}/move`, { body: { targetFolderId } }),
      server.ask("PUT", `/files/${id}/rename`, { body: { newName: `n${index}` } }),
    ]);
    const replies = await Promise.all([...changes, server.ask("DELETE", `/files/${id}`)]);
    const done = replies.filter(({ status }) => status === 200);
    const positions = done.map(({ body }) => body.queuePosition).sort((a, b) => a - b);
    expect(positions).toEqual(Array.from({ length: done.length }, (_, index) => index + 2));
    const refused = replies.filter(({ status }) => status !== 200);
    expect(refused.every(({ body }) => body.error === "FILE_TRASHED")).toBe(true);

    const rows = await server.rows<{ operation_type: string; metadata: unknown }>(
      "select operation_type, metadata from file_sync_queue order by seq",
    );
    const steps = rows.map(({ metadata }) => metadataOf(metadata));
    for (const [index, step] of steps.entries()) {
      expect(step.sourcePath).toBe(index === 0 ? null : steps[index - 1].targetPath);
    }
    expect(rows.at(-1)?.operation_type).toBe("TRASH");
  });

  it(
    "move folders and change their files: the operations of each file connect and end at its path",
    quiet,
    async (server) => {
      const tops = await Promise.all(["p", "q"].map((name) => server.makeFolder(name)));
      const moving = await server.makeFolder("moving", tops[0]);
      const inner = await server.makeFolder("inner", moving);
      const files = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          server.upload({ name: `f${index}`, folderId: index % 2 ? inner : moving }),
        ),
      );
      const move = (targetFolderId: string) =>
        server.ask("POST", `/folders/${moving}/move`, { body: { targetFolderId } });
      const replies = await Promise.all([
        move(tops[1] as string),
        ...files.map(({ fileId }, index) =>
          server.ask("PUT", `/files/${fileId}/rename`, { body: { newName: `g${index}` } }),
        ),
        server.ask("PUT", `/folders/${inner}/rename`, { body: { newName: "within" } }),
        ...files.slice(0, 3).map((_, index) => server.uploadReply({ name: `new${index}`, folderId: inner })),
        move(tops[0] as string),
        server.ask("POST", `/files/${files[0]?.fileId}/move`, { body: { targetFolderId: inner } }),
        move(tops[1] as string),
      ]);
      expect(replies.map(({ status }) => status).filter((status) => status !== 200)).toEqual([]);
      const { items } = await server.done("GET", "/files?limit=100");
      expect(items).toHaveLength(9);
      for (const { id, path } of items) {
        const rows = await server.rows<{ metadata: unknown }>(
          "select metadata from file_sync_queue where file_id = $1 order by seq",
          [id],
        );
        const steps = rows.map(({ metadata }) => metadataOf(metadata));
        for (const [index, step] of steps.entries()) {
          expect(step.sourcePath).toBe(index === 0 ? null : steps[index - 1].targetPath);
        }
        expect(`/${steps.at(-1).targetPath}`).toBe(path);
      }
    },
    60_000,
  );

  it("never move a folder below itself", quiet, async (server) => {
    for (let round = 0; round < 5; round++) {
      const a = await server.makeFolder(`a${round}`);
      const b = await server.makeFolder(`b${round}`);
      const replies = await Promise.all([
        server.ask("POST", `/folders/${a}/move`, { body: { targetFolderId: b } }),
        server.ask("POST", `/folders/${b}/move`, { body: { targetFolderId: a } }),
      ]);
      const outcomes = replies.map(({ body }) => body.error ?? "moved").sort();
      expect(outcomes).toEqual(["FOLDER_CYCLE", "moved"]);
    }
  });

  it("add nothing to a folder that is being trashed", quiet, async (server) => {
    for (let round = 0; round < 5; round++) {
      const folderId = await server.makeFolder(`f${round}`);
      const [removed, uploaded, made] = await Promise.all([
        server.ask("DELETE", `/folders/${folderId}`),
        server.uploadReply({ name: "a", folderId }),
        server.ask("POST", "/folders", { body: { name: "b", parentId: folderId } }),
      ]);
      const isGone = removed.status === 200;
      if (!isGone) expect(removed.body.error).toBe("FOLDER_NOT_EMPTY");
      const outcomes = [uploaded, made].map(({ body }) => body.error ?? "made");
      expect(outcomes.includes("made")).toBe(!isGone);
      expect(outcomes.filter((outcome) => outcome !== "made" && outcome !== "PARENT_TRASHED")).toEqual([]);
    }
  });
});

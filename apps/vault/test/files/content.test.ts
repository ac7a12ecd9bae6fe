import { renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { describeVault, WITHOUT_WORK } from "../harness.ts";
import { cachedFiles } from "./cached.ts";

const quiet = { settings: WITHOUT_WORK };
const BYTES = "0123456789";

describeVault("reading a file", (it) => {
  it("returns the whole file, or the requested range", quiet, async (server) => {
    const { fileId, sha256 } = await server.upload({
      name: "수 (1)'.txt",
      bytes: BYTES,
      mimeType: "text/plain",
    });
    const read = async (range?: string) => {
      const { status, headers, body } = await server.ask("GET", `/files/${fileId}/content`, {
        headers: range === undefined ? {} : { range },
      });
      return [status, body.error ?? body, headers.get("content-range")];
    };
    const { headers } = await server.ask("GET", `/files/${fileId}/content`);
    expect(Object.fromEntries(headers)).toMatchObject({
      "content-type": expect.stringContaining("text/plain"),
      "content-length": "10",
      "accept-ranges": "bytes",
      etag: `"${sha256}"`,
      "content-disposition": "attachment; filename*=UTF-8''%EC%88%98%20%281%29%27.txt",
    });
    expect(await read()).toEqual([200, BYTES, null]);
    expect(await read("bytes=0-0")).toEqual([206, "0", "bytes 0-0/10"]);
    expect(await read("bytes=3-")).toEqual([206, "3456789", "bytes 3-9/10"]);
    expect(await read("bytes=3-99")).toEqual([206, "3456789", "bytes 3-9/10"]);
    expect(await read("bytes=-4")).toEqual([206, "6789", "bytes 6-9/10"]);
    expect(await read("bytes=-99")).toEqual([206, BYTES, "bytes 0-9/10"]);
    expect(await read("bytes=5-4")).toEqual([200, BYTES, null]);
    expect(await read("lines=1-2")).toEqual([200, BYTES, null]);
    expect((await read("bytes=10-")).slice(0, 2)).toEqual([416, "RANGE_BEYOND_END"]);
    expect((await read("bytes=-0")).slice(0, 2)).toEqual([416, "RANGE_BEYOND_END"]);
    expect((await server.refused("GET", "/files/nobody/content")).error).toBe("FILE_NOT_FOUND");
  });

  it("sends nothing that the caller has already, and no part of other bytes", quiet, async (server) => {
    const { fileId, sha256 } = await server.upload({ name: "a.txt", bytes: BYTES });
    const read = async (headers: Record<string, string>) => {
      const reply = await server.ask("GET", `/files/${fileId}/content`, { headers });
      return [reply.status, reply.body.error ?? reply.body];
    };
    const [ours, other] = [`"${sha256}"`, '"0,0"'];
    const range = "bytes=3-4";

    for (const known of [ours, `W/${ours}`, `${other}, ${ours}`, "*"])
      expect([known, await read({ "if-none-match": known })]).toEqual([known, [304, ""]]);
    const { headers } = await server.ask("GET", `/files/${fileId}/content`, {
      headers: { "if-none-match": ours },
    });
    expect([headers.get("etag"), headers.get("content-length")]).toEqual([ours, null]);
    expect(await read({ "if-none-match": other })).toEqual([200, BYTES]);

    const refused = [412, "PRECONDITION_FAILED"];
    for (const wanted of [ours, `${other},${ours}`, "*"])
      expect([wanted, await read({ "if-match": wanted })]).toEqual([wanted, [200, BYTES]]);
    for (const wanted of [other, `W/${ours}`])
      expect([wanted, await read({ "if-match": wanted })]).toEqual([wanted, refused]);
    expect(await read({ "if-match": other, "if-none-match": ours })).toEqual(refused);

    expect(await read({ range, "if-range": ours })).toEqual([206, "34"]);
    for (const only of [other, `W/${ours}`, "Wed, 21 Oct 2026 07:28:00 GMT"]) {
      expect([only, await read({ range, "if-range": only })]).toEqual([only, [200, BYTES]]);
      expect([only, await read({ range: "bytes=99-", "if-range": only })]).toEqual([only, [200, BYTES]]);
    }
    expect(await read({ range, "if-none-match": ours })).toEqual([304, ""]);

    for (const file of cachedFiles(server.cacheFolder)) rmSync(file);
    expect(await read({ "if-none-match": ours })).toEqual([304, ""]);
  });

  it("reads bytes that the cache has lost from the NAS, and never other bytes", {}, async (server) => {
    const { fileId } = await server.upload({ name: "a.txt", bytes: BYTES });
    await server.synced();
    for (const file of cachedFiles(server.cacheFolder)) rmSync(file);
    expect(await server.done("GET", `/files/${fileId}/content`)).toBe(BYTES);
    await server.done("DELETE", `/files/${fileId}`);
    await server.synced();
    expect(await server.done("GET", `/files/${fileId}/content`)).toBe(BYTES);
    writeFileSync(join(server.nasFolder, ".trash", fileId, "a.txt"), "something else");
    const { status, error, details } = await server.refused("GET", `/files/${fileId}/content`);
    expect([status, error, details]).toMatchObject([409, "BYTES_MISSING", { nas: "SIZE_DIFFERS" }]);
  });

  it("never returns a whole file that was changed on the NAS at the same size", {}, async (server) => {
    const large = Buffer.alloc(3 * 1024 * 1024 + 7, "a");
    const small = await server.upload({ name: "small", bytes: BYTES });
    const { fileId } = await server.upload({ name: "large", bytes: large });
    await server.synced();
    for (const file of cachedFiles(server.cacheFolder)) rmSync(file);
    expect(await server.done("GET", `/files/${fileId}/content`)).toBe(large.toString());
    writeFileSync(join(server.nasFolder, "small"), BYTES.replace("5", "x"));
    const { status, error, details } = await server.refused("GET", `/files/${small.fileId}/content`);
    expect([status, error, details]).toMatchObject([409, "BYTES_MISSING", { nas: "CHECKSUM_DIFFERS" }]);
    writeFileSync(join(server.nasFolder, "large"), `b${large.toString().slice(1)}`);
    await expect(server.ask("GET", `/files/${fileId}/content`)).rejects.toThrow("terminated");
    const headers = { range: "bytes=0-2" };
    expect(await server.done("GET", `/files/${fileId}/content`, { headers })).toBe("baa");
  });

  it("reports an unreachable NAS instead of missing bytes", {}, async (server) => {
    const { fileId } = await server.upload({ name: "a.txt", bytes: BYTES });
    await server.synced();
    const content = `/files/${fileId}/content`;
    renameSync(server.nasFolder, `${server.nasFolder}-away`);
    expect(await server.done("GET", content)).toBe(BYTES);
    for (const file of cachedFiles(server.cacheFolder)) rmSync(file);
    expect(await server.refused("GET", content)).toMatchObject({
      status: 503,
      error: "NAS_UNREACHABLE",
      details: { fileId, problem: "NOT_MOUNTED", cache: "SOURCE_MISSING", nas: "NOT_MOUNTED" },
    });
    renameSync(`${server.nasFolder}-away`, server.nasFolder);
    expect(await server.done("GET", content)).toBe(BYTES);
    rmSync(join(server.nasFolder, "a.txt"));
    expect(await server.refused("GET", content)).toMatchObject({ status: 409, error: "BYTES_MISSING" });
  });

  it("reports an unreachable cache if the NAS does not have the bytes", quiet, async (server) => {
    const { fileId } = await server.upload({ name: "a.txt", bytes: BYTES });
    renameSync(server.cacheFolder, `${server.cacheFolder}-away`);
    expect(await server.refused("GET", `/files/${fileId}/content`)).toMatchObject({
      status: 503,
      error: "CACHE_UNREACHABLE",
    });
  });

  it("serves bytes so that no browser runs them", { settings: WITHOUT_WORK }, async (server) => {
    const runnable = [
      "text/html",
      "application/xhtml+xml",
      "image/svg+xml",
      "application/xml",
      "text/javascript",
      "application/x-javascript",
    ];
    const harmless = ["image/png", "application/pdf", "text/plain", OFFICE];
    for (const mimeType of [...runnable, ...harmless]) {
      const bytes = "<script>alert(1)</script>";
      const { fileId } = await server.upload({ name: `${mimeType.replace("/", "-")}.x`, mimeType, bytes });
      const url = new URL(`/files/${fileId}/content`, server.url);
      const authorization = `Bearer ${server.adminToken}`;
      for (const asked of [{}, { method: "HEAD" }, { headers: { range: "bytes=0-3" } }]) {
        const { headers = {}, method = "GET" } = asked as { headers?: object; method?: string };
        const answer = await fetch(url, { method, headers: { authorization, ...headers } });
        await answer.arrayBuffer();
        const type = answer.headers.get("content-type")?.split(";")[0];
        expect([mimeType, type]).toEqual([
          mimeType,
          runnable.includes(mimeType) ? "application/octet-stream" : mimeType,
        ]);
        expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
        expect(answer.headers.get("content-security-policy")).toMatch(/^sandbox;/);
        expect(answer.headers.get("content-disposition")).toMatch(/^attachment/);
      }
    }
  });
});

const OFFICE = "application/vnd.openxmlformats-officedocument.wordprocessingml.document";

import { chownSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { WebdavClient } from "../../src/webdav/webdav-client.ts";
import { WebdavStorage } from "../../src/webdav/webdav-storage.ts";
import { parseWebdavUrl } from "../../src/webdav/webdav-url.ts";
import { failureOf, filesIn, halting, known, listed, put, read } from "../bytes.ts";
import { canMount, mountTmpfs } from "../folder/mount.ts";
import { openWebdav, type WebdavPlace } from "../places.ts";

const MB = 1024 * 1024;

let place: WebdavPlace;
beforeEach(async () => {
  place = await openWebdav();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await place.close();
});

/** The same place, or one below it, with a shorter timeout. */
function another({ silenceMs = 60_000, below = "" } = {}): WebdavStorage {
  return new WebdavStorage(parseWebdavUrl(place.server.url + below), { marker: true, limits: { silenceMs } });
}

/** The entries of a folder on the server, without Apache's own. */
function namesIn(...names: string[]): string[] {
  return readdirSync(join(place.server.folder, ...names))
    .filter((name) => name !== ".DAV")
    .sort();
}

describe("a WebDAV server", () => {
  it("only looks up a name before a move, has real folders, and may not report its free space", async () => {
    const { storage } = place;
    expect(await storage.capabilities()).toEqual({ overwriting: "looked-up", folders: "real" });
    expect(["number", "undefined"]).toContain(typeof (await storage.freeSpace()));
    expect(namesIn()).toEqual([".andon-nas"]);
  });

  it("stores many files at the same time", async () => {
    const { storage } = place;
    const many = Array.from({ length: 30 }, (_, number) =>
      put(storage, `many/${number}`, "x", `j${number}-1`),
    );
    await Promise.all(many);
    expect(await filesIn(storage, "many")).toHaveLength(30);
  });

  it("returns the requested range of a file, also if it does not support ranges", async () => {
    const { storage } = place;
    const bytes = Buffer.alloc(MB + 17, "0123456789abcdefg");
    await put(storage, "x", bytes);
    const range = { start: 100_003, end: MB + 5 };
    const part = async () => await buffer((await storage.get("x", { range })).stream);
    expect((await part()).equals(bytes.subarray(range.start, range.end))).toBe(true);
    const { send } = WebdavClient.prototype;
    vi.spyOn(WebdavClient.prototype, "send").mockImplementation(function (this: WebdavClient, request) {
      return send.call(this, request.method === "GET" ? { ...request, headers: {} } : request);
    });
    expect((await part()).equals(bytes.subarray(range.start, range.end))).toBe(true);
  });

  it("never loses a file that another program puts into a folder right before its removal", async () => {
    const { storage, server } = place;
    await storage.makeFolder("folder");
    const real = WebdavClient.prototype.do;
    vi.spyOn(WebdavClient.prototype, "do").mockImplementation(async function (this: WebdavClient, request) {
      // Right after the folder was found empty.
      if (request.method === "MOVE" && request.isFolder) {
        const late = join(server.folder, "folder/late #1");
        writeFileSync(late, "a stranger's");
      }
      return await real.call(this, request);
    });
    expect(await storage.removeFolderIfEmpty("folder")).toBe(false);
    vi.restoreAllMocks();
    expect(await filesIn(storage)).toEqual(["folder/late #1"]);
    expect(namesIn()).toEqual([".andon-nas", "folder"]);
    expect(await read(storage, "folder/late #1")).toBe("a stranger's");
  });

  it("that describes other paths than requested is refused", async () => {
    const { storage, server } = place;
    await put(storage, "folder/x", "hello");
    const real = WebdavClient.prototype.send;
    vi.spyOn(WebdavClient.prototype, "send").mockImplementation(function (this: WebdavClient, request) {
      const names = request.names.filter((name) => name !== "moved");
      return real.call(this, { ...request, names });
    });
    const odd = new WebdavStorage(parseWebdavUrl(server.url.replace("/dav/files", "/moved/dav/files")), {
      marker: true,
    });
    expect(await failureOf(odd.removeFolderIfEmpty("folder"))).toMatchObject({ code: "NOT_SUPPORTED" });
    expect(await failureOf(listed(odd))).toMatchObject({ code: "NOT_SUPPORTED", fault: "destination" });
    expect(await read(storage, "folder/x")).toBe("hello");
    await odd.close();
  });

  it("does not remove a folder when a file was to be removed", async () => {
    const { storage } = place;
    await put(storage, "folder/x", "hello");
    expect(await failureOf(storage.remove("folder"))).toMatchObject({ code: "NOT_A_FILE", fault: "file" });
    expect(await read(storage, "folder/x")).toBe("hello");
  });

  it("lists names that are not valid text, and other unusual names", async () => {
    const { storage, server } = place;
    writeFileSync(Buffer.concat([Buffer.from(`${server.folder}/caf`), Buffer.from([0xe9])]), "x");
    mkdirSync(join(server.folder, "a %41&<b>"));
    writeFileSync(join(server.folder, "각".normalize("NFD")), "nfd");
    const entries = await listed(storage);
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      [".andon-nas", "own"],
      ["a %41&<b>", "folder"],
      ["caf%e9", "other"],
      ["각".normalize("NFD"), "file"],
    ]);
    expect(await read(storage, "각".normalize("NFD"))).toBe("nfd");
  });
});

describe("a WebDAV server that goes away", () => {
  it("cannot be reached, and is used again when it is back", async () => {
    const { storage, server } = place;
    await put(storage, "x", "hello");
    await server.kill();
    const away = { code: "UNREACHABLE", fault: "destination" };
    expect(await failureOf(put(storage, "y", "hello"))).toMatchObject(away);
    expect(await failureOf(storage.stat("x"))).toMatchObject(away);
    expect(await failureOf(storage.get("x"))).toMatchObject(away);
    expect(await failureOf(listed(storage))).toMatchObject(away);
    expect(await storage.health()).toMatchObject({ ok: false, problem: away });
    await server.restart();
    expect(await storage.health()).toEqual({ ok: true });
    expect(await put(storage, "y", "hello")).toEqual(known("hello"));
  });

  it("in the middle of a put leaves no file under its name, and the next claim stores it", async () => {
    const { storage, server } = place;
    const [first, rest] = [Buffer.alloc(MB, "a"), Buffer.alloc(MB, "b")];
    const { source, half, goOn } = halting(first, rest);
    const done = storage.put("files/x", source, { temporary: "job-1" });
    done.catch(() => {});
    await half;
    const unfinished = join(server.folder, "files/.andon-job-1.part");
    await vi.waitFor(() => expect(readdirSync(unfinished).length).toBeGreaterThan(0), 45_000);
    await server.kill();
    goOn();
    expect(await failureOf(done)).toMatchObject({ code: "UNREACHABLE", fault: "destination" });
    expect(namesIn("files")).toEqual([".andon-job-1.part"]);
    await server.restart();
    await storage.removeTemporaries("files/x", "job-2");
    await put(storage, "files/x", Buffer.concat([first, rest]), "job-2");
    expect(namesIn("files")).toEqual(["x"]);
    expect(await filesIn(storage)).toEqual(["files/x"]);
  });

  it("in the middle of a read fails it rather than end it early", async () => {
    const { storage, server } = place;
    await put(storage, "x", Buffer.alloc(32 * MB));
    const { stream } = await storage.get("x");
    const reading = stream[Symbol.asyncIterator]();
    await reading.next();
    await server.kill();
    const rest = async () => {
      for (;;) if ((await reading.next()).done) return;
    };
    expect(await failureOf(rest())).toMatchObject({ code: "UNREACHABLE", fault: "destination" });
  });

  it("silently is reported as timed out", async () => {
    const storage = another({ silenceMs: 3_000 });
    await put(storage, "x", "hello");
    await place.server.freeze();
    expect(await failureOf(storage.stat("x"))).toMatchObject({ code: "TIMED_OUT", fault: "destination" });
    place.server.thaw();
    await vi.waitFor(async () => expect(await storage.stat("x")).toBeDefined(), 45_000);
    expect(await read(storage, "x")).toBe("hello");
    await storage.close();
  });
});

describe("a claim that was lost", () => {
  it("cannot finish its put after the next claim removed its temporary", async () => {
    const { storage, server } = place;
    const { source, half, goOn } = halting(Buffer.from("old "), Buffer.from("bytes"));
    const late = storage.put("x", source, { temporary: "job-1" });
    late.catch(() => {});
    await half;
    const unfinished = join(server.folder, ".andon-job-1.part");
    await vi.waitFor(() => expect(existsSync(unfinished)).toBe(true), 45_000);
    await storage.removeTemporaries("x", "job-2");
    goOn();
    const failure = await failureOf(late);
    expect(await storage.stat("x")).toBeUndefined();
    expect(failure).toMatchObject({ code: "TEMPORARY_GONE", fault: "file" });
    expect(namesIn()).toEqual([".andon-nas"]);
  });
});

describe("a root on a WebDAV server", () => {
  const away = { code: "NOT_MOUNTED", fault: "destination" };

  it("without its marker is never written to, and never reports that something is missing", async () => {
    const { storage, server } = place;
    await put(storage, "x", "hello");
    const mark = readFileSync(join(server.folder, ".andon-nas"));
    rmSync(join(server.folder, ".andon-nas"));
    expect(await failureOf(put(storage, "y", "hello"))).toMatchObject(away);
    expect(await failureOf(storage.move("x", "y", known("hello")))).toMatchObject(away);
    expect(await failureOf(storage.remove("x"))).toMatchObject(away);
    expect(await failureOf(storage.makeFolder("folder"))).toMatchObject(away);
    expect(await failureOf(storage.moveFolder("a", "b"))).toMatchObject(away);
    expect(await failureOf(storage.removeFolderIfEmpty("a"))).toMatchObject(away);
    expect(await failureOf(storage.removeTemporaries("x", "job-2"))).toMatchObject(away);
    expect(await failureOf(storage.stat("none"))).toMatchObject(away);
    expect(await failureOf(storage.get("none"))).toMatchObject(away);
    expect(await failureOf(listed(storage))).toMatchObject(away);
    expect(await storage.health()).toMatchObject({ ok: false, problem: away });
    expect(namesIn()).toEqual(["x"]);

    writeFileSync(join(server.folder, ".andon-nas"), "another's\n");
    expect(await failureOf(put(storage, "y", "hello"))).toMatchObject(away);
    writeFileSync(join(server.folder, ".andon-nas"), mark);
    expect(await put(storage, "y", "hello")).toEqual(known("hello"));
  });

  it("gets its marker once, and is created with it if it is missing", async () => {
    const { server } = place;
    const deeper = another({ below: "/a/b" });
    expect(await deeper.health()).toMatchObject({ problem: away });
    await Promise.all([deeper.initMarker(), deeper.initMarker()]);
    const mark = readFileSync(join(server.folder, "a/b/.andon-nas"), "utf8");
    await deeper.initMarker();
    expect(readFileSync(join(server.folder, "a/b/.andon-nas"), "utf8")).toBe(mark);
    expect(namesIn("a", "b")).toEqual([".andon-nas"]);
    expect(await deeper.health()).toEqual({ ok: true });
    await deeper.close();
  });

  it.skipIf(!canMount)("that is full reports it, and keeps no part of a file that did not fit", async () => {
    const inside = join(place.server.folder, "small");
    mkdirSync(inside);
    const unmount = mountTmpfs(inside, "1m");
    chownSync(inside, 65_534, 65_534);
    const storage = another({ below: "/small" });
    try {
      await storage.initMarker();
      await put(storage, "fits", Buffer.alloc(300_000));
      const full = await failureOf(put(storage, "large", Buffer.alloc(20_000_000)));
      expect(full).toMatchObject({ code: "FULL", fault: "destination" });
      expect(namesIn("small")).toEqual([".andon-nas", "fits"]);
    } finally {
      await storage.close();
      unmount();
    }
  });
});

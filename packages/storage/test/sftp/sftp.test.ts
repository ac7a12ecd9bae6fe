import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { buffer } from "node:stream/consumers";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { SftpSession } from "../../src/sftp/sftp-session.ts";
import { SftpStatus, STATUS } from "../../src/sftp/sftp-status.ts";
import { SftpStorage } from "../../src/sftp/sftp-storage.ts";
import { parseSftpUrl } from "../../src/sftp/sftp-url.ts";
import { failureOf, filesIn, known, listed, put, sourceOf } from "../bytes.ts";
import { canMount, mountTmpfs, remountReadOnly } from "../folder/mount.ts";
import { openSftp, type SftpPlace, temporaryFolder } from "../places.ts";

const MB = 1024 * 1024;

let place: SftpPlace;
beforeEach(async () => {
  place = await openSftp();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await place.close();
});

describe("an SFTP server", () => {
  it("refuses to overwrite, has real folders, and knows its free space", async () => {
    const { storage } = place;
    expect(await storage.capabilities()).toEqual({ overwriting: "refused", folders: "real" });
    expect(await storage.freeSpace()).toBeGreaterThan(MB);
    expect(readdirSync(place.server.folder)).toEqual([".andon-nas"]);
  });

  it("that overwrites gets a rename only after a lookup, one at a time", async () => {
    const { rename } = SftpSession.prototype;
    vi.spyOn(SftpSession.prototype, "rename").mockImplementation(async function (
      this: SftpSession,
      from,
      to,
    ) {
      await this.remove(to).catch(() => {});
      await rename.call(this, from, to);
    });
    const { storage } = place;
    expect(await storage.capabilities()).toEqual({ overwriting: "looked-up", folders: "real" });
    const puts = ["a", "b", "c"].map((text) => storage.put("x", sourceOf(text), { temporary: `${text}-1` }));
    const ends = await Promise.allSettled(puts);
    expect(ends.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected", "rejected"]);
    await put(storage, "y", "hello");
    expect(await failureOf(storage.move("y", "x", known("hello")))).toMatchObject({ code: "TARGET_EXISTS" });
    expect(await filesIn(storage)).toEqual(["x", "y"]);
  });

  it("whose file system has no hard links counts as one that only looks up a name before a rename", async () => {
    vi.spyOn(SftpSession.prototype, "link").mockImplementation(() =>
      Promise.reject(new SftpStatus(STATUS.PERMISSION_DENIED, "Permission denied")),
    );
    expect(await place.storage.capabilities()).toMatchObject({ overwriting: "looked-up" });
  });

  it("is used over few connections, which are reused", async () => {
    const connect = vi.spyOn(SftpSession, "connect");
    const storage = new SftpStorage(parseSftpUrl(place.server.url), { marker: true });
    for (let number = 0; number < 5; number++) await put(storage, `one/${number}`, "x");
    expect(connect).toHaveBeenCalledTimes(1);
    const many = Array.from({ length: 20 }, (_, number) =>
      put(storage, `many/${number}`, "x", `j${number}-1`),
    );
    await Promise.all(many);
    expect(connect.mock.calls.length).toBeLessThanOrEqual(4);
    expect(await filesIn(storage, "many")).toHaveLength(20);
    await storage.close();
  });
});

describe("a root on an SFTP server", () => {
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
    expect(readdirSync(server.folder)).toEqual(["x"]);

    writeFileSync(join(server.folder, ".andon-nas"), "another's\n");
    expect(await failureOf(put(storage, "y", "hello"))).toMatchObject(away);
    writeFileSync(join(server.folder, ".andon-nas"), mark);
    expect(await put(storage, "y", "hello")).toEqual(known("hello"));
  });

  it("gets its marker once, and is created with it if it is missing", async () => {
    const { server } = place;
    const deeper = new SftpStorage(parseSftpUrl(server.url.replace("/files?", "/files/a/b?")), {
      marker: true,
    });
    expect(await deeper.health()).toMatchObject({ problem: away });
    for (let run = 0; run < 2; run++) await deeper.initMarker();
    const mark = readFileSync(join(server.folder, "a/b/.andon-nas"), "utf8");
    await Promise.all([deeper.initMarker(), deeper.initMarker()]);
    expect(readFileSync(join(server.folder, "a/b/.andon-nas"), "utf8")).toBe(mark);
    expect(await deeper.health()).toEqual({ ok: true });
    await deeper.close();
  });

  it("follows no link, and lists links as such", async () => {
    const { storage, server } = place;
    const outside = await temporaryFolder();
    writeFileSync(join(outside.folder, "secret"), "hello");
    symlinkSync(outside.folder, join(server.folder, "out"));
    symlinkSync(join(outside.folder, "secret"), join(server.folder, "file"));
    symlinkSync(join(outside.folder, "new"), join(server.folder, "dangling"));
    const refused = { code: "LINK_REFUSED", fault: "file" };
    expect(await failureOf(storage.get("out/secret"))).toMatchObject(refused);
    expect(await failureOf(storage.get("file"))).toMatchObject(refused);
    expect(await failureOf(storage.checksum("file"))).toMatchObject(refused);
    expect(await failureOf(storage.stat("out/secret"))).toMatchObject(refused);
    expect(await failureOf(put(storage, "out/a/new", "x"))).toMatchObject(refused);
    expect(await failureOf(storage.move("out/secret", "x", known("hello")))).toMatchObject(refused);
    expect(await failureOf(storage.remove("out/secret"))).toMatchObject(refused);
    expect(await failureOf(storage.makeFolder("out/folder"))).toMatchObject(refused);
    expect(await failureOf(listed(storage, "out"))).toMatchObject(refused);
    expect(await failureOf(put(storage, "dangling", "other"))).toMatchObject({ code: "TARGET_EXISTS" });
    expect(await failureOf(storage.move("file", "x", known("hello")))).toMatchObject({ code: "NOT_A_FILE" });
    expect(readdirSync(outside.folder)).toEqual(["secret"]);
    const links = (await listed(storage)).filter(({ kind }) => kind === "other");
    expect(links.map(({ path }) => path)).toEqual(["dangling", "file", "out"]);
    await outside.close();
  });

  it("lists names that are not valid text, and other unusual names", async () => {
    const { storage, server } = place;
    writeFileSync(Buffer.concat([Buffer.from(`${server.folder}/caf`), Buffer.from([0xe9])]), "x");
    mkdirSync(join(server.folder, "-d \\ \n"));
    const entries = await listed(storage);
    expect(entries.map(({ path, kind }) => [path, kind])).toEqual([
      ["-d \\ \n", "folder"],
      [".andon-nas", "own"],
      ["caf\ufffd", "other"],
    ]);
  });

  it.skipIf(!canMount)(
    "that is full or read-only reports it, and keeps no part of a file that did not fit",
    async () => {
      const { server } = place;
      const inside = join(server.folder, "small");
      mkdirSync(inside);
      const unmount = mountTmpfs(inside, "1m");
      const storage = new SftpStorage(parseSftpUrl(server.url.replace("/files?", "/files/small?")), {
        marker: true,
      });
      try {
        await storage.initMarker();
        await put(storage, "fits", Buffer.alloc(300_000));
        const full = await failureOf(put(storage, "large", Buffer.alloc(2_000_000)));
        expect(readdirSync(inside).sort()).toEqual([".andon-nas", "fits"]);
        expect(full).toMatchObject({ code: "FULL", fault: "destination" });
        expect(await storage.freeSpace()).toBeGreaterThan(300_000);
        remountReadOnly(inside);
        const readOnly = { code: "READ_ONLY", fault: "destination" };
        expect(await failureOf(put(storage, "x", "x"))).toMatchObject(readOnly);
        expect(await failureOf(storage.remove("fits"))).toMatchObject(readOnly);
        expect(await storage.health()).toMatchObject({ ok: false, problem: readOnly });
        expect(await storage.checksum("fits")).toMatchObject({ size: 300_000 });
      } finally {
        await storage.close();
        unmount();
      }
    },
  );
});

it("stores a large file in pieces, and reads it back in order", async () => {
  const { storage } = place;
  const bytes = Buffer.alloc(5 * MB + 17, "0123456789abcdefg");
  await put(storage, "large", bytes);
  const { stream } = await storage.get("large", { range: { start: 100_003, end: 4 * MB + 5 } });
  expect((await buffer(stream)).equals(bytes.subarray(100_003, 4 * MB + 5))).toBe(true);
  renameSync(join(place.server.folder, "large"), join(place.server.folder, "elsewhere"));
  expect(await storage.checksum("elsewhere")).toEqual(known(bytes));
});

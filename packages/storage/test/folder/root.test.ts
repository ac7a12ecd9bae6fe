import { mkdir, readdir, rename, rm, symlink, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { openStorage } from "@andon/storage";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, known, listed, put, read } from "../bytes.ts";
import { type FolderPlace, openFolder, temporaryFolder } from "../places.ts";
import { canMount, mountTmpfs } from "./mount.ts";

describe("a root without its marker", () => {
  let place: FolderPlace;
  beforeEach(async () => {
    place = await openFolder();
    await put(place.storage, "x", "hello");
    await unlink(join(place.folder, ".andon-nas"));
  });
  afterEach(() => place.close());

  it("is never written to", async () => {
    const { storage } = place;
    const away = { code: "NOT_MOUNTED", fault: "destination" };
    expect(await failureOf(put(storage, "y", "hello"))).toMatchObject(away);
    expect(await failureOf(storage.move("x", "y", known("hello")))).toMatchObject(away);
    expect(await failureOf(storage.remove("x"))).toMatchObject(away);
    expect(await failureOf(storage.makeFolder("folder"))).toMatchObject(away);
    expect(await failureOf(storage.moveFolder("a", "b"))).toMatchObject(away);
    expect(await failureOf(storage.removeFolderIfEmpty("a"))).toMatchObject(away);
    expect(await failureOf(storage.removeTemporaries("x", "job-2"))).toMatchObject(away);
    expect(await readdir(place.folder)).toEqual(["x"]);
  });

  it("never reports that something is missing", async () => {
    const { storage } = place;
    const away = { code: "NOT_MOUNTED", fault: "destination" };
    expect(await failureOf(storage.stat("none"))).toMatchObject(away);
    expect(await failureOf(storage.get("none"))).toMatchObject(away);
    expect(await failureOf(storage.checksum("none"))).toMatchObject(away);
    expect(await failureOf(listed(storage))).toMatchObject(away);
    expect(await storage.health()).toMatchObject({ ok: false, problem: away });
  });

  it("is another root after it got another marker", async () => {
    const fresh = await openStorage(`file:${place.folder}`, { marker: true });
    await fresh.initMarker();
    expect(await failureOf(put(place.storage, "y", "hello"))).toMatchObject({ code: "NOT_MOUNTED" });
    expect(await put(fresh, "y", "hello")).toEqual(known("hello"));
  });

  it("is accepted by the storage that gives it a new marker", async () => {
    await place.storage.initMarker();
    expect(await put(place.storage, "y", "hello")).toEqual(known("hello"));
  });
});

describe("a root", () => {
  let place: FolderPlace;
  beforeEach(async () => {
    place = await openFolder();
  });
  afterEach(() => place.close());

  it("is recognised when its share is mounted again", async () => {
    await put(place.storage, "x", "hello");
    await rename(place.folder, `${place.folder}-away`);
    expect(await failureOf(put(place.storage, "y", "hello"))).toMatchObject({ code: "NOT_MOUNTED" });
    await mkdir(place.folder);
    expect(await failureOf(put(place.storage, "y", "hello"))).toMatchObject({ code: "NOT_MOUNTED" });
    expect(await readdir(place.folder)).toEqual([]);
    await rm(place.folder, { recursive: true });
    await rename(`${place.folder}-away`, place.folder);
    expect(await put(place.storage, "y", "hello")).toEqual(known("hello"));
  });

  it("creates its marker once and keeps it", async () => {
    const before = await listed(place.storage);
    await place.storage.initMarker();
    expect(await listed(place.storage)).toEqual(before);
    expect(before).toMatchObject([{ path: ".andon-nas", kind: "own" }]);
    expect(await failureOf(place.storage.remove(".andon-nas"))).toMatchObject({ code: "NAME_REFUSED" });
  });

  it("is not created when it is opened with a marker", async () => {
    const { folder, close } = await temporaryFolder();
    const storage = await openStorage(`file:${folder}/none`, { marker: true });
    expect(await storage.health()).toMatchObject({ ok: false, problem: { code: "NOT_MOUNTED" } });
    expect(await readdir(folder)).toEqual([]);
    await close();
  });

  it.skipIf(!canMount)("without a marker is another root when another device is mounted there", async () => {
    const cache = await openFolder({ marker: false });
    await put(cache.storage, "x", "hello");
    const unmount = mountTmpfs(cache.folder, "1m");
    try {
      expect(await failureOf(put(cache.storage, "y", "hello"))).toMatchObject({ code: "NOT_MOUNTED" });
      expect(await failureOf(cache.storage.stat("x"))).toMatchObject({ code: "NOT_MOUNTED" });
      expect(await readdir(cache.folder)).toEqual([]);
    } finally {
      unmount();
    }
    expect(await read(cache.storage, "x")).toBe("hello");
    await cache.close();
  });

  it.skipIf(!canMount)("that is full keeps no part of a file that did not fit", async () => {
    const unmount = mountTmpfs(place.folder, "1m");
    try {
      const storage = await openStorage(`file:${place.folder}`, { marker: true });
      await storage.initMarker();
      await put(storage, "fits", Buffer.alloc(300_000));
      const failure = await failureOf(put(storage, "large", Buffer.alloc(2_000_000)));
      expect(failure).toMatchObject({ code: "FULL", fault: "destination" });
      expect((await readdir(place.folder)).sort()).toEqual([".andon-nas", "fits"]);
      expect(await storage.freeSpace()).toBeGreaterThan(300_000);
    } finally {
      unmount();
    }
  });
});

describe("a link", () => {
  let place: FolderPlace;
  let outside: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeEach(async () => {
    place = await openFolder();
    outside = await temporaryFolder();
    await writeFile(join(outside.folder, "secret"), "hello");
    await symlink(outside.folder, join(place.folder, "out"));
    await symlink(join(outside.folder, "secret"), join(place.folder, "file"));
    await symlink(join(outside.folder, "new"), join(place.folder, "dangling"));
  });
  afterEach(async () => {
    await place.close();
    await outside.close();
  });

  it("out of the root is not followed by any operation", async () => {
    const { storage } = place;
    const refused = { code: "LINK_REFUSED", fault: "file" };
    expect(await failureOf(storage.get("out/secret"))).toMatchObject(refused);
    expect(await failureOf(storage.get("file"))).toMatchObject(refused);
    expect(await failureOf(storage.checksum("file"))).toMatchObject(refused);
    expect(await failureOf(storage.stat("out/secret"))).toMatchObject(refused);
    expect(await failureOf(put(storage, "out/new", "x"))).toMatchObject(refused);
    expect(await failureOf(put(storage, "out/a/b/new", "x"))).toMatchObject(refused);
    expect(await failureOf(storage.move("out/secret", "x", known("hello")))).toMatchObject(refused);
    expect(await failureOf(storage.remove("out/secret"))).toMatchObject(refused);
    expect(await failureOf(storage.makeFolder("out/folder"))).toMatchObject(refused);
    expect(await failureOf(listed(storage, "out/deeper"))).toMatchObject(refused);
    expect(await failureOf(listed(storage, "out"))).toMatchObject(refused);
    expect(await failureOf(put(storage, "file", "other"))).toMatchObject({ code: "TARGET_EXISTS" });
    expect(await failureOf(put(storage, "dangling", "other"))).toMatchObject({ code: "TARGET_EXISTS" });
    expect(await failureOf(put(storage, "dangling/x", "other"))).toMatchObject({ fault: "file" });
    expect(await failureOf(storage.move("file", "x", known("hello")))).toMatchObject({ code: "NOT_A_FILE" });
    expect(await readdir(outside.folder)).toEqual(["secret"]);
  });

  it("is listed, but nothing behind it", async () => {
    const links = (await listed(place.storage)).filter(({ kind }) => kind === "other");
    expect(links.map(({ path }) => path)).toEqual(["dangling", "file", "out"]);
  });

  it("inside the root is followed", async () => {
    await put(place.storage, "real/x", "hello");
    await symlink("real", join(place.folder, "alias"));
    expect(await read(place.storage, "alias/x")).toBe("hello");
  });
});

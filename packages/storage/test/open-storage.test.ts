import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { isAndonError } from "@andon/contract";
import { addressOf, openStorage } from "@andon/storage";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { put, read } from "./bytes.ts";
import { temporaryFolder } from "./places.ts";

describe("openStorage", () => {
  let home: Awaited<ReturnType<typeof temporaryFolder>>;
  beforeAll(async () => {
    home = await temporaryFolder();
  });
  afterAll(() => home.close());

  it("opens a folder by its path or its URL, and creates one that needs no marker", async () => {
    const folder = join(home.folder, "my cache");
    const byPath = await openStorage(`file:${folder}`);
    await put(byPath, "x", "hello");
    const byUrl = await openStorage(pathToFileURL(folder).href);
    expect(await read(byUrl, "x")).toBe("hello");
    expect(byUrl.place).toBe(folder);
  });

  it("opens a bucket without a request", async () => {
    const storage = await openStorage(
      "s3://bytes/a/b?endpoint=http://127.0.0.1:9&region=eu-west-1&forcePathStyle=true",
    );
    expect(storage.place).toBe("s3://bytes/a/b");
    await storage.close();
  });

  it("opens an SFTP server without connecting, and names it by its address without the login", async () => {
    const storage = await openStorage("sftp://me:secret@nas.example:2222//a/b%20c/?hostKey=SHA256:x");
    expect(storage.place).toBe("sftp://nas.example:2222/a/b c");
    await storage.close();
  });

  it("opens a WebDAV server without connecting, and names it by its address without the login", async () => {
    const storage = await openStorage("webdavs://me:secret@nas.example/a/%ED%95%9C/");
    expect(storage.place).toBe("webdavs://nas.example/a/한");
    await storage.close();
  });

  it("gives addresses that differ only in the login the same canonical address", () => {
    const written = [
      "sftp://nas/a/",
      "sftp://me:secret@nas//a?key=/k",
      "SFTP://you@NAS:22/a?hostKey=SHA256:x",
    ];
    expect(new Set(written.map(addressOf))).toEqual(new Set(["sftp://nas/a"]));
    expect(addressOf("sftp://nas:2222/a")).toBe("sftp://nas:2222/a");
    expect(addressOf("webdavs://me@NAS:443/a?ca=/x")).toBe("webdavs://nas/a");
  });

  it.each([
    "sftp://",
    "webdav://",
    "webdavs://me:%E9secret@nas/x",
    "ftp://user:secret@host/x",
    "/mnt/nas",
    "file:",
    "s3://",
    "s3://key:secret@bucket",
  ])("refuses %j, lists the known forms, and repeats no secret", async (url) => {
    const error = await openStorage(url).catch((reason) => reason);
    expect(isAndonError(error, "STORAGE_URL")).toBe(true);
    expect(error.message).toMatch(/file:<folder>|s3:\/\/<bucket>|sftp:\/\/<user>|webdavs:\/\/<user>/);
    expect(error.message).not.toContain("secret");
  });

  it("names an unknown option", async () => {
    await expect(openStorage("s3://bytes?endpiont=http://x")).rejects.toThrow(/Did you mean "endpoint"/);
  });
});

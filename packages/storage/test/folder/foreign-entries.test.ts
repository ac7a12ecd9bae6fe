import { spawnSync } from "node:child_process";
import { symlink, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { failureOf, known, listed, put, read } from "../bytes.ts";
import { type FolderPlace, openFolder } from "../places.ts";

/** A program of the operating system, not of an npm package. */
const MKFIFO = "mkfifo";

describe("an entry that another program left in a folder", () => {
  let place: FolderPlace;
  beforeEach(async () => {
    place = await openFolder();
  });
  afterEach(() => place.close());

  it("is listed whatever its name is, and can be read by its listed name", async () => {
    const decomposed = "각.txt".normalize("NFD");
    await writeFile(join(place.folder, decomposed), "from a Mac");
    await writeFile(join(place.folder, "a\\b\n"), "odd");
    await writeFile(Buffer.concat([Buffer.from(`${place.folder}/bad-`), Buffer.from([0xff])]), "no text");
    const found = (await listed(place.storage)).map(({ path, kind }) => [path, kind]);
    expect(found).toEqual([
      [".andon-nas", "own"],
      ["a\\b\n", "file"],
      ["bad-\ufffd", "other"],
      [decomposed, "file"],
    ]);
    expect(await read(place.storage, decomposed)).toBe("from a Mac");
    await place.storage.move(decomposed, decomposed.normalize("NFC"), { size: 10 });
    expect(await read(place.storage, "각.txt")).toBe("from a Mac");
  });

  it("does not block a read or a move when it is a pipe", async () => {
    spawnSync(MKFIFO, [join(place.folder, "pipe")]);
    expect(await failureOf(place.storage.get("pipe"))).toMatchObject({ code: "NOT_A_FILE", fault: "file" });
    expect(await failureOf(place.storage.move("pipe", "x", known("")))).toMatchObject({ code: "NOT_A_FILE" });
    expect(await place.storage.stat("pipe")).toMatchObject({ kind: "other" });
  });

  it("cannot exist below a file or at a path that is too long", async () => {
    await put(place.storage, "file", "x");
    const long = Array.from({ length: 20 }, () => "n".repeat(250)).join("/");
    for (const path of ["file/x", "file/x/y", long, `file/${long}`])
      expect([path, await place.storage.stat(path)]).toEqual([path, undefined]);
    expect(await failureOf(place.storage.get("file/x/y"))).toMatchObject({ code: "NOT_A_FOLDER" });
    expect(await failureOf(place.storage.get(long))).toMatchObject({ code: "NAME_TOO_LONG" });
    await symlink("/dev/null", join(place.folder, "link"));
    for (const path of ["link/x", "link/x/y", `link/${long}`])
      expect([path, await failureOf(place.storage.stat(path))]).toMatchObject([
        path,
        { code: "LINK_REFUSED" },
      ]);
  });

  it("fails a read if it is shortened meanwhile", async () => {
    await put(place.storage, "x", Buffer.alloc(4 * 1024 * 1024));
    const { stream } = await place.storage.get("x");
    const reading = (async () => {
      for await (const _ of stream) await truncate(join(place.folder, "x"), 1);
    })();
    expect(await failureOf(reading)).toMatchObject({ code: "SOURCE_CHANGED", fault: "file" });
  });

  it.each([
    [
      "a folder where a file should be read",
      (storage: FolderPlace["storage"]) => storage.get("folder"),
      "NOT_A_FILE",
    ],
    [
      "a folder where a file should go",
      (storage: FolderPlace["storage"]) => put(storage, "folder", "x"),
      "TARGET_EXISTS",
    ],
    [
      "a file where a folder should be",
      (storage: FolderPlace["storage"]) => put(storage, "file/x", "x"),
      "NOT_A_FOLDER",
    ],
    [
      "a file as a folder's target",
      (storage: FolderPlace["storage"]) => storage.moveFolder("folder", "file"),
      "TARGET_EXISTS",
    ],
    [
      "a folder where a file should be removed",
      (storage: FolderPlace["storage"]) => storage.remove("folder"),
      "NOT_A_FILE",
    ],
    [
      "a file where a folder should be removed",
      (storage: FolderPlace["storage"]) => storage.removeFolderIfEmpty("file"),
      "NOT_A_FOLDER",
    ],
  ])("is a fault of the file: %s", async (_, act, code) => {
    await place.storage.makeFolder("folder");
    await put(place.storage, "file", "x");
    expect(await failureOf(act(place.storage) as Promise<unknown>)).toMatchObject({ code, fault: "file" });
  });
});

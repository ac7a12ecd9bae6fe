import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { asNobody } from "@andon/testkit";
import { describe, expect, it } from "vitest";
import { failureOf, known, put, read } from "../bytes.ts";
import { type FolderPlace, openFolder } from "../places.ts";

const LOGIN = { code: "LOGIN", fault: "destination" };
const DENIED = { code: "DENIED", fault: "file" };

function withFiles(work: (place: FolderPlace) => Promise<void>): () => Promise<void> {
  return () =>
    asNobody(async () => {
      const place = await openFolder();
      const folders = [place.folder, join(place.folder, "a")];
      try {
        await put(place.storage, "x", "hello");
        await put(place.storage, "a/x", "hello");
        await work(place);
      } finally {
        for (const folder of folders) await chmod(folder, 0o755);
        await place.close();
      }
    });
}

describe("what the system denies", () => {
  it(
    "is a fault of the destination if its root refuses writes too",
    withFiles(async ({ storage, folder }) => {
      for (const path of ["a", ""]) await chmod(join(folder, path), 0o555);
      expect(await failureOf(put(storage, "new", "hello"))).toMatchObject(LOGIN);
      expect(await failureOf(put(storage, "a/new", "hello"))).toMatchObject(LOGIN);
      expect(await failureOf(storage.move("a/x", "b/x", known("hello")))).toMatchObject(LOGIN);
      expect(await failureOf(storage.remove("a/x"))).toMatchObject(LOGIN);
      expect(await failureOf(storage.makeFolder("b"))).toMatchObject(LOGIN);
      expect(await storage.health()).toMatchObject({ ok: false, problem: LOGIN });
      expect(await read(storage, "a/x")).toBe("hello");
    }),
  );

  it(
    "is a fault of the file if only its folder is read-only",
    withFiles(async ({ storage, folder }) => {
      await chmod(join(folder, "a"), 0o555);
      expect(await failureOf(put(storage, "a/new", "hello"))).toMatchObject(DENIED);
      expect(await failureOf(storage.move("a/x", "b/x", known("hello")))).toMatchObject(DENIED);
      expect(await failureOf(storage.remove("a/x"))).toMatchObject(DENIED);
      expect(await put(storage, "new", "hello")).toEqual(known("hello"));
    }),
  );

  it(
    "is a fault of the file if it only cannot be read, even if the root refuses writes",
    withFiles(async ({ storage, folder }) => {
      await chmod(join(folder, "x"), 0);
      await chmod(folder, 0o555);
      expect(await failureOf(storage.checksum("x"))).toMatchObject(DENIED);
    }),
  );
});

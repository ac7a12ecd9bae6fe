import { mkdirSync, mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { openStorage } from "@andon/storage";
import { expect, test } from "vitest";
import { cleanCache } from "../../src/cache/clean-cache.ts";
import type { VaultContext } from "../../src/vault-context.ts";
import { cachedFiles } from "../files/cached.ts";
import { describeVault } from "../harness.ts";
import { housekeep } from "../housekeeping.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

function leave(folder: string, path: string, hoursAgo: number): void {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  writeFileSync(join(folder, path), "left");
  const at = Date.now() / 1_000 - hoursAgo * 3_600;
  utimesSync(join(folder, path), at, at);
}

describeVault("cleaning the cache", (it) => {
  it("removes bytes that were left long ago, and keeps files and unfinished uploads", {}, async (server) => {
    const { cacheFolder } = server;
    const { fileId } = await server.upload({ name: "kept", bytes: "kept" });
    const [key] = cachedFiles(cacheFolder).map((path) => relative(cacheFolder, path));
    mkdirSync(join(cacheFolder, "20200101"));
    renameSync(join(cacheFolder, key as string), join(cacheFolder, "20200101", fileId));
    utimesSync(join(cacheFolder, "20200101", fileId), 1, 1);
    await server.site.andon.store.transaction("test", (tx) =>
      tx.query("update file_storage_objects set path = $1 where storage_type = 'CACHE'", [
        `20200101/${fileId}`,
      ]),
    );
    leave(cacheFolder, "20200101/left-long-ago", 1_000);
    leave(cacheFolder, "20200101/.andon-left-1.part", 1_000);
    leave(cacheFolder, "20200102/some-job/left-long-ago", 1_000);
    leave(cacheFolder, "20200102/just-come", 0);
    leave(cacheFolder, "20200102/.andon-on-its-way-1.part", 2);
    leave(cacheFolder, "strangers/one", 1_000);
    expect((await housekeep(server, "clean-cache")).state).toBe("done");
    expect(
      cachedFiles(cacheFolder)
        .map((path) => relative(cacheFolder, path))
        .sort(),
    ).toEqual([
      `20200101/${fileId}`,
      "20200102/.andon-on-its-way-1.part",
      "20200102/just-come",
      "strangers/one",
    ]);
  });
});

test("the folders of many days are checked in turn, a few each hour", async () => {
  const folder = mkdtempSync(join(tmpdir(), "andon-cache-"));
  const cache = await openStorage(`file:${folder}`);
  try {
    const now = Date.now();
    for (let day = 30; day < 70; day++)
      leave(folder, `${new Date(now - day * DAY).toISOString().slice(0, 10).replaceAll("-", "")}/left`, 48);
    const left: number[] = [];
    for (let hour = 0; hour < 5; hour++) {
      const store = { clock: { now: () => now + hour * HOUR }, query: async () => [] };
      const guard = Object.assign(() => {}, { signal: new AbortController().signal });
      await cleanCache({ cache, andon: { store } } as unknown as VaultContext, guard);
      left.push(cachedFiles(folder).length);
    }
    expect(left).toEqual([32, 24, 16, 8, 0]);
  } finally {
    await cache.close();
    rmSync(folder, { recursive: true });
  }
});

import { mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { createRequire, syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Andon, type TurnRequest } from "@andon/engine";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { openStore, type StoreOptions } from "../../src/index.ts";
import { SqliteDatabase } from "../../src/sqlite/database.ts";

type Synced = (error: Error | null) => void;
type Calls = { fdatasync: (file: number, done: Synced) => void; fdatasyncSync: (file: number) => void };

const calls = createRequire(import.meta.url)("node:fs") as Calls;
const real: Calls = { fdatasync: calls.fdatasync, fdatasyncSync: calls.fdatasyncSync };
const counts = { onTheSpot: 0, aside: 0 };
let folder: string;
let andon: Andon | undefined;

/** What is told to the disk is counted, and fails where there is a fault. */
function watch(fault?: Error): void {
  Object.assign(counts, { onTheSpot: 0, aside: 0 });
  calls.fdatasyncSync = (file) => {
    counts.onTheSpot++;
    if (fault) throw fault;
    real.fdatasyncSync(file);
  };
  calls.fdatasync = (file, done) => {
    counts.aside++;
    if (fault) done(fault);
    else real.fdatasync(file, done);
  };
  syncBuiltinESMExports();
}

/** A queue that the store knows by now. */
async function queueOf(url: string, options: StoreOptions = {}) {
  andon = new Andon(await openStore(url, options));
  const queue = andon.queue("work");
  await queue.add({ n: 0 });
  return queue;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "andon-log-sync-"));
});

afterEach(async () => {
  Object.assign(calls, real);
  syncBuiltinESMExports();
  await andon?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("a commit on SQLite", () => {
  test("of somebody alone is on the disk before it is answered", async () => {
    const queue = await queueOf(`sqlite:${join(folder, "a.db")}`);
    watch();
    await queue.add({ n: 1 });
    expect(counts.onTheSpot + counts.aside).toBe(1);
  });

  test("of several at once costs one sync, for which the event loop does not wait", async () => {
    const queue = await queueOf(`sqlite:${join(folder, "a.db")}`);
    const other = (andon as Andon).queue("other");
    await other.add({ n: 0 });
    watch();
    await Promise.all([queue.add({ n: 1 }), other.add({ n: 2 })]);
    expect(counts).toEqual({ onTheSpot: 0, aside: 1 });
  });

  test("that changed nothing is not synced", async () => {
    await queueOf(`sqlite:${join(folder, "a.db")}`);
    const rules = { limit: null, rate: null, sharing: null, serial: false };
    const turn: TurnRequest = { queue: "work", worker: "w", done: [], want: 1, ...rules };
    expect((await andon?.store.turn(turn))?.claims).toHaveLength(1);
    watch();
    expect((await andon?.store.turn(turn))?.claims).toEqual([]);
    expect(counts).toEqual({ onTheSpot: 0, aside: 0 });
  });

  test("is left to the operating system with `normal`", async () => {
    const queue = await queueOf(`sqlite:${join(folder, "a.db")}`, { synchronous: "normal" });
    watch();
    await queue.add({ n: 1 });
    expect(counts).toEqual({ onTheSpot: 0, aside: 0 });
  });

  test("is found where a link leads to the file", async () => {
    await queueOf(`sqlite:${join(folder, "real.db")}`);
    await andon?.close();
    symlinkSync(join(folder, "real.db"), join(folder, "link.db"));
    const queue = await queueOf(`sqlite:${join(folder, "link.db")}`);
    watch();
    await queue.add({ n: 2 });
    expect(counts.onTheSpot + counts.aside).toBe(1);
  });

  test("is synced by SQLite itself where the file's place has no log", async () => {
    const database = await SqliteDatabase.open(`file:${join(folder, "a.db")}?vfs=unix-dotfile`, {});
    watch();
    await database.immediate((session) => session.raw("create table t (n integer)", []));
    await database.immediate((session) => session.raw("insert into t values (1)", []));
    expect(database.writer.raw("pragma synchronous", [])).toEqual([{ synchronous: 2 }]);
    expect(counts).toEqual({ onTheSpot: 0, aside: 0 });
    await database.close();
  });

  test("that the disk refuses to sync is answered as a store that is away", async () => {
    const queue = await queueOf(`sqlite:${join(folder, "a.db")}`);
    watch(Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" }));
    await expect(queue.add({ n: 2 })).rejects.toMatchObject({ code: "STORE_UNAVAILABLE" });
    watch();
    await expect(queue.add({ n: 3 })).resolves.toMatchObject({ id: expect.any(String) });
  });
});

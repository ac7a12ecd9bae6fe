import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { AndonError, checkedOptions } from "@andon/contract";
import { type Clock, inWholeMilliseconds } from "@andon/engine";
import * as z from "zod";
import { FEWEST_CONNECTIONS, PostgresStore } from "./postgres/store.ts";
import type { SqlStore } from "./sql-store.ts";
import { SqliteStore } from "./sqlite/store.ts";
import { IN_MEMORY, isPostgres, sqlitePath } from "./store-url.ts";

export const storeOptions = z.strictObject({
  synchronous: z
    .enum(["full", "normal"])
    .optional()
    .describe(
      "SQLite. `full`: a power cut loses no commit. `normal`: faster, but a power cut may lose the last commits. Default: `full`.",
    ),
  connections: z
    .number()
    .int()
    .min(FEWEST_CONNECTIONS)
    .max(100)
    .optional()
    .describe(
      "PostgreSQL: most connections of this process, from 3 to 100: one for heartbeats, checks and signals, the others for everything else. An idle process holds 2. Default: 10.",
    ),
  clock: z
    .custom<Clock>()
    .optional()
    .describe(
      "Another clock, for tests. Default: the database's time on PostgreSQL, the machine's on SQLite.",
    ),
});
export type StoreOptions = z.input<typeof storeOptions>;

/**
 * Opens `sqlite:<path>`, `sqlite::memory:` (a temporary file, deleted on close) or `postgres://…`, and brings its
 * schema up to date.
 */
export async function openStore(url: string, options?: StoreOptions): Promise<SqlStore> {
  if (typeof url !== "string") throw new AndonError("STORE_URL", { given: String(url) });
  const checked = checkedOptions("the store's options", storeOptions, options);
  const clock = checked.clock && inWholeMilliseconds(checked.clock);
  const store = await connect(url, { ...checked, clock });
  try {
    await store.migrate();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}

async function connect(url: string, options: StoreOptions): Promise<SqlStore> {
  if (isPostgres(url)) return PostgresStore.open(url, options);
  if (url === IN_MEMORY) return openTemporary(options);
  return openFile(sqlitePath(url), options);
}

/** Adds the path: SQLite's error for a file that it cannot open does not name it. */
async function openFile(path: string, options: StoreOptions): Promise<SqlStore> {
  try {
    mkdirSync(dirname(path), { recursive: true });
    return await SqliteStore.open(path, options);
  } catch (cause) {
    if (cause instanceof AndonError) throw cause;
    throw new AndonError("STORE_NOT_OPENED", { path, problem: (cause as Error).message }, { cause });
  }
}

/**
 * A database in memory belongs to one connection, and the store uses two, so this uses a file in a temporary folder.
 */
async function openTemporary(options: StoreOptions): Promise<SqlStore> {
  const folder = mkdtempSync(join(tmpdir(), "andon-"));
  const store = await SqliteStore.open(join(folder, "andon.db"), { ...options, synchronous: "normal" });
  const close = store.close.bind(store);
  store.close = async () => {
    await close();
    rmSync(folder, { recursive: true, force: true });
  };
  return store;
}

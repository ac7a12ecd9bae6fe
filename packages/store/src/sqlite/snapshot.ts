import { existsSync } from "node:fs";
import type { StoreSnapshot } from "../snapshot.ts";
import { IN_MEMORY, sqlitePath } from "../store-url.ts";
import { retryWhileBusy } from "./database.ts";
import { openSqlite } from "./driver.ts";
import { SyncSession } from "./session.ts";

/** The store's clock is this machine's. A missing file has no tables and is not created. */
export async function readSqliteSnapshot<T>(
  url: string,
  limitMs: number,
  read: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  const now = Date.now();
  if (url === IN_MEMORY || !existsSync(sqlitePath(url)))
    return read({ dialect: "sqlite", now, hasTable: async () => false, query: async () => [] });
  const connection = await openSqlite(sqlitePath(url), { readOnly: true });
  const session = new SyncSession(connection);
  const query: StoreSnapshot["query"] = (sql, params = []) =>
    retryWhileBusy(() => session.raw(sql, params), limitMs);
  try {
    return await read({
      dialect: "sqlite",
      now,
      hasTable: async (name) =>
        (await query("select 1 as one from sqlite_master where type = 'table' and name = $1", [name]))
          .length > 0,
      query,
    });
  } finally {
    connection.close();
  }
}

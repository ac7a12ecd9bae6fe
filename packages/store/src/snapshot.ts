import type { Dialect } from "./dialect.ts";
import { readPostgresSnapshot } from "./postgres/snapshot.ts";
import { readSqliteSnapshot } from "./sqlite/snapshot.ts";
import { isPostgres } from "./store-url.ts";

/** A store as it is at this moment, for reading alone. What is not there yet is simply not there. */
export interface StoreSnapshot {
  readonly dialect: Dialect["name"];
  /** What the store takes for the time, in milliseconds. */
  readonly now: number;
  hasTable(name: string): Promise<boolean>;
  /** With `$1` placeholders; of tables that are there. */
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** How long the database may take for each answer. */
const LONGEST_ANSWER_MS = 3_000;

/** Reads a store without opening it as one: nothing is made, migrated or changed, and nothing waits for long. */
export async function readSnapshot<T>(
  url: string,
  read: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  return isPostgres(url)
    ? readPostgresSnapshot(url, LONGEST_ANSWER_MS, read)
    : readSqliteSnapshot(url, LONGEST_ANSWER_MS, read);
}

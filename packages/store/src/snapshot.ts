import type { Dialect } from "./dialect.ts";
import { readPostgresSnapshot } from "./postgres/snapshot.ts";
import { readSqliteSnapshot } from "./sqlite/snapshot.ts";
import { isPostgres } from "./store-url.ts";

/** Read access to a store as it is at this moment. Tables may be missing. */
export interface StoreSnapshot {
  readonly dialect: Dialect["name"];
  /** The store's time, in milliseconds. */
  readonly now: number;
  hasTable(name: string): Promise<boolean>;
  /** Takes `$1` placeholders; the tables must exist. */
  query<Row>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
}

/** Time limit for each answer of the database. */
const LONGEST_ANSWER_MS = 3_000;

/** Reads a store without opening it for work: creates, migrates and changes nothing, and does not wait for long. */
export async function readSnapshot<T>(
  url: string,
  read: (snapshot: StoreSnapshot) => Promise<T>,
): Promise<T> {
  return isPostgres(url)
    ? readPostgresSnapshot(url, LONGEST_ANSWER_MS, read)
    : readSqliteSnapshot(url, LONGEST_ANSWER_MS, read);
}

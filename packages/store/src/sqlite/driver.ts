/** The part of `node:sqlite` that the store uses. Node 20 lacks that module; an npm package has the same API. */
export interface SqliteStatement {
  all(...params: unknown[]): unknown[];
  get(...params: unknown[]): unknown;
  run(...params: unknown[]): { changes: number | bigint };
  /** The text of the statement itself, with unbound parameters as NULL; undefined if there is no statement. */
  readonly expandedSQL: string | undefined;
  setReadBigInts(enabled: boolean): void;
  /** Available from Node 22.16 on. */
  setReturnArrays?(enabled: boolean): void;
}

export interface SqliteConnection {
  exec(sql: string): void;
  prepare(sql: string): SqliteStatement;
  close(): void;
}

type Driver = { DatabaseSync: new (path: string, options: object) => SqliteConnection };

let driver: Promise<Driver> | undefined;

export async function openSqlite(
  path: string,
  { readOnly, waitMs = 0 }: { readOnly: boolean; waitMs?: number },
): Promise<SqliteConnection> {
  driver ??= load();
  const { DatabaseSync } = await driver;
  // Waiting inside SQLite would block the event loop; callers retry from JavaScript while the file is busy.
  return new DatabaseSync(path, { readOnly, timeout: waitMs });
}

async function load(): Promise<Driver> {
  if (process.getBuiltinModule?.("node:sqlite")) return (await import("node:sqlite")) as unknown as Driver;
  return (await import("@photostructure/sqlite")) as unknown as Driver;
}

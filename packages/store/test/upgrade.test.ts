import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@andon/testkit";
import pg from "pg";
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import { openSqlite } from "../src/sqlite/driver.ts";

const folder = mkdtempSync(join(tmpdir(), "andon-upgrade-"));
const removals: (() => Promise<void>)[] = [];
let files = 0;

afterAll(async () => {
  for (const remove of removals) await remove();
  rmSync(folder, { recursive: true, force: true });
});

/** An empty database, and a way to run a script in it without the store. */
const PLACES = {
  sqlite: async () => {
    const path = join(folder, `${++files}.db`);
    const connection = await openSqlite(path, { readOnly: false });
    return {
      url: `sqlite:${path}`,
      run: async (sql: string) => connection.exec(sql),
      close: async () => connection.close(),
    };
  },
  postgres: async () => {
    const database = await createDatabase();
    removals.push(database.drop);
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    return {
      url: database.url,
      run: async (sql: string) => void (await client.query(sql)),
      close: () => client.end(),
    };
  },
};

/** A database whose schema was created by the unsquashed migrations from before the first release. */
async function unreleasedDatabase(kind: keyof typeof PLACES): Promise<string> {
  const { url, run, close } = await PLACES[kind]();
  await run(
    "create table andon_migrations (migration_set text not null, version integer not null, name text not null, at bigint not null, primary key (migration_set, version))",
  );
  await run(
    "insert into andon_migrations values ('engine', 1, '001-engine.sql', 1), ('engine', 2, '002-schedules.sql', 1)",
  );
  await run("create table andon_queues (name text primary key)");
  await close();
  return url;
}

describe.each(["sqlite", "postgres"] as const)("a database from before the first release on %s", (kind) => {
  test("is refused with advice, and stays unchanged", async () => {
    const url = await unreleasedDatabase(kind);
    const refused = await openStore(url).catch((error: unknown) => error as Error);
    expect(refused).toMatchObject({
      code: "SCHEMA_UNRELEASED",
      message: expect.stringContaining("empty database"),
    });
    // Refused again for the same reason, so the first refusal left no table behind.
    await expect(openStore(url)).rejects.toMatchObject({ code: "SCHEMA_UNRELEASED" });
  });
});

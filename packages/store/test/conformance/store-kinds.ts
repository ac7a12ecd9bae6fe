import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@andon/testkit";
import type { OwnClient, StoreKind } from "@andon/testkit/conformance";
import pg from "pg";

const sqlite: StoreKind = {
  name: "sqlite",
  async prepare() {
    const folder = mkdtempSync(join(tmpdir(), "andon-conformance-"));
    let files = 0;
    return {
      fresh: async () => `sqlite:${join(folder, `${++files}.db`)}`,
      async ownTransaction(url, work) {
        const connection = await openOwnSqlite(url.slice("sqlite:".length));
        const run = async (sql: string) => connection.exec(sql);
        await endAs(run, () => work({ tx: connection, run }));
        connection.close();
      },
      remove: async () => rmSync(folder, { recursive: true, force: true }),
    };
  },
};

/** Empties every table of a database that many tests use in turn: creating one takes 200 ms, this takes ten. */
const WIPE = `do $$ declare t text; begin
  for t in select tablename from pg_tables where schemaname = 'public' and tablename <> 'andon_migrations' loop
    if t like 'andon\\_%' then execute format('delete from %I', t); else execute format('drop table %I', t); end if;
  end loop;
end $$`;

const postgres: StoreKind = {
  name: "postgres",
  async prepare() {
    const database = await createDatabase();
    const name = new URL(database.url).pathname.slice(1);
    // The tests are about order and state, not durability.
    await withClient(database.url, (client) =>
      client.query(`alter database ${name} set synchronous_commit = off`),
    );
    let isNew = true;
    return {
      async fresh() {
        if (!isNew) await withClient(database.url, (client) => client.query(WIPE));
        isNew = false;
        return database.url;
      },
      ownTransaction: (url, work) =>
        withClient(url, async (client) => {
          const run = async (sql: string) => {
            await client.query(sql);
          };
          await endAs(run, () => work({ tx: client, run }));
        }),
      remove: () => database.drop(),
    };
  },
};

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

async function endAs(run: OwnClient["run"], work: () => Promise<"commit" | "rollback">): Promise<void> {
  await run("begin");
  await run(await work());
}

/** A connection as a caller would open it: `node:sqlite` if Node has it, otherwise the same API from npm. */
async function openOwnSqlite(path: string): Promise<{ exec(sql: string): void; close(): void }> {
  const { DatabaseSync } = process.getBuiltinModule?.("node:sqlite")
    ? await import("node:sqlite")
    : await import("@photostructure/sqlite");
  return new DatabaseSync(path, { timeout: 5_000 });
}

/** `ANDON_TEST_STORES` limits the run to the stores it names; default: all. */
const wanted = process.env.ANDON_TEST_STORES?.split(",");
export const STORE_KINDS = [sqlite, postgres].filter(({ name }) => wanted?.includes(name) ?? true);

import { ENGINE_MIGRATIONS, openStore } from "@andon/store";
import pg from "pg";
import { createDatabase, SERVER_VARIABLE, type TestDatabase } from "./databases.ts";

const SERVER = { name: "server", folder: new URL("../../server/migrations/", import.meta.url) };
const VAULT = { name: "app:vault", folder: new URL("../../../apps/vault/migrations/", import.meta.url) };
const BROADCAST = {
  name: "app:broadcast",
  folder: new URL("../../../apps/broadcast/migrations/", import.meta.url),
};
const STUDIO = { name: "app:studio", folder: new URL("../../../apps/studio/migrations/", import.meta.url) };
const FILEFLOW = {
  name: "app:fileflow",
  folder: new URL("../../../apps/fileflow/migrations/", import.meta.url),
};
const SETS = {
  server: [ENGINE_MIGRATIONS, SERVER],
  vault: [ENGINE_MIGRATIONS, SERVER, VAULT],
  broadcast: [ENGINE_MIGRATIONS, SERVER, BROADCAST],
  studio: [ENGINE_MIGRATIONS, SERVER, STUDIO],
  fileflow: [ENGINE_MIGRATIONS, SERVER, FILEFLOW],
};

const made = new Map<keyof typeof SETS, Promise<string>>();

/**
 * Creates a database that already has the tables of a server. They are created once and copied: creating them is more
 * work than most tests.
 */
export async function createDatabaseWith(tables: keyof typeof SETS): Promise<TestDatabase> {
  const template = made.get(tables) ?? templateWith(tables);
  made.set(tables, template);
  return createDatabase(undefined, await template);
}

/** Created by the first process of a run that needs it. */
async function templateWith(tables: keyof typeof SETS): Promise<string> {
  const name = `andon_template_${tables}`;
  const client = new pg.Client({ connectionString: process.env[SERVER_VARIABLE] });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock(hashtext($1))", [name]);
    const { rowCount } = await client.query("select 1 from pg_database where datname = $1", [name]);
    if (rowCount === 0) await make(client, name, tables);
    return name;
  } finally {
    await client.end();
  }
}

/** Renamed only when complete and without connections: otherwise it could not be copied. */
async function make(client: pg.Client, name: string, tables: keyof typeof SETS): Promise<void> {
  const draft = await createDatabase();
  const store = await openStore(draft.url);
  await store.migrate(SETS[tables]);
  await store.close();
  const draftName = new URL(draft.url).pathname.slice(1);
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [
    draftName,
  ]);
  await client.query(`alter database ${draftName} rename to ${name}`);
}

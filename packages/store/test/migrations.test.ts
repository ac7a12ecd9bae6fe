import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createDatabase } from "@andon/testkit";
import { afterAll, describe, expect, test } from "vitest";
import { openStore } from "../src/open-store.ts";
import type { SqlStore } from "../src/sql-store.ts";

const folder = mkdtempSync(join(tmpdir(), "andon-migrations-"));
const removals: (() => Promise<void>)[] = [];
let files = 0;

const PLACES = {
  sqlite: async () => `sqlite:${join(folder, `${++files}.db`)}`,
  postgres: async () => {
    const database = await createDatabase();
    removals.push(database.drop);
    return database.url;
  },
};

afterAll(async () => {
  for (const remove of removals) await remove();
  rmSync(folder, { recursive: true, force: true });
});

interface Column {
  table: string;
  column: string;
  nullable: boolean;
  /** Its place in the primary key, from 1; 0: not part of it. */
  key: number;
}

type Rows = <Row>(sql: string) => Promise<Row[]>;

/** Both catalogues in one form. A text primary key on SQLite is not null only because our migrations say so. */
const CATALOGUES = {
  sqlite: {
    columns: `select m.name as "table", c.name as "column",
      case when c."notnull" = 0 and c.pk = 0 then 1 else 0 end as nullable, c.pk as "key"
      from sqlite_master m join pragma_table_info(m.name) c where m.type in ('table', 'view')`,
    indexes: `select tbl_name as "table", name from sqlite_master where type = 'index' and sql is not null`,
    // PostgreSQL names an expression in an index by its function; SQLite does not name it.
    parts: `select m.name as "index", group_concat(coalesce(c.name, 'substr'), ',') as parts
      from sqlite_master m join pragma_index_info(m.name) c
      where m.type = 'index' and m.sql is not null group by m.name`,
  },
  postgres: {
    columns: `select c.table_name as "table", c.column_name as "column",
      case when c.is_nullable = 'YES' then 1 else 0 end as nullable, coalesce(k.ordinal_position, 0) as "key"
      from information_schema.columns c
      left join information_schema.table_constraints t
        on t.table_name = c.table_name and t.table_schema = c.table_schema and t.constraint_type = 'PRIMARY KEY'
      left join information_schema.key_column_usage k
        on k.constraint_name = t.constraint_name and k.table_name = c.table_name and k.column_name = c.column_name
      where c.table_schema = 'public'`,
    indexes: `select i.tablename as "table", i.indexname as name from pg_indexes i
      where i.schemaname = 'public' and not exists (select 1 from pg_constraint c where c.conname = i.indexname)`,
    parts: `select r.relname as "index", string_agg(a.attname, ',' order by a.attnum) as parts
      from pg_class r join pg_attribute a on a.attrelid = r.oid
      where r.relkind = 'i' and r.relnamespace = 'public'::regnamespace
        and not exists (select 1 from pg_constraint c where c.conname = r.relname) group by r.relname`,
  },
} as const;

/** Tables of one database only: PostgreSQL draws job numbers from a sequence, SQLite from a table. */
const OWN_TO_SQLITE = ["andon_job_numbers"];

async function schemaOf(kind: keyof typeof PLACES) {
  const store = await openStore(await PLACES[kind]());
  const rows: Rows = (sql) => store.transaction("look", (tx) => tx.query(sql)) as never;
  const { columns, indexes, parts } = CATALOGUES[kind];
  const all = (await rows<Column>(columns)).filter(({ table }) => !OWN_TO_SQLITE.includes(table));
  const views = new Set(["andon_job_states"]);
  const sorted = <Row extends object>(found: Row[]) =>
    found.map((row) => JSON.stringify(Object.entries(row).map(([, value]) => value))).sort();
  const schema = {
    tables: [...new Set(all.map(({ table }) => table))].sort(),
    columns: sorted(
      all.map(({ table, column, nullable, key }) =>
        // The columns of a view have no nullability.
        views.has(table)
          ? { table, column }
          : { table, column, nullable: Number(nullable), key: Number(key) },
      ),
    ),
    indexes: sorted(await rows<{ table: string; name: string }>(indexes)),
    parts: sorted(await rows<{ index: string; parts: string }>(parts)),
  };
  await store.close();
  return schema;
}

async function ledger(store: SqlStore): Promise<unknown[]> {
  return store.transaction("look", (tx) =>
    tx.query("select migration_set, version, name, at from andon_migrations order by migration_set, version"),
  );
}

test("both folders of migrations have the same files, numbered without gaps", () => {
  const filesOf = (kind: string) => readdirSync(new URL(`../migrations/${kind}/`, import.meta.url)).sort();
  expect(filesOf("postgres")).toEqual(filesOf("sqlite"));
  expect(filesOf("sqlite").map((file) => Number.parseInt(file, 10))).toEqual(
    filesOf("sqlite").map((_, index) => index + 1),
  );
});

test("both databases have the same tables, columns, nullability, primary keys and indexes", async () => {
  const [sqlite, postgres] = [await schemaOf("sqlite"), await schemaOf("postgres")];
  expect(sqlite.tables).toContain("andon_jobs");
  expect(sqlite.tables).toEqual(postgres.tables);
  expect(sqlite.columns).toEqual(postgres.columns);
  expect(sqlite.indexes.length).toBeGreaterThan(10);
  expect(sqlite.indexes).toEqual(postgres.indexes);
  expect(sqlite.parts).toEqual(postgres.parts);
});

describe.each(["sqlite", "postgres"] as const)("on %s", (kind) => {
  test("migrating twice changes nothing", async () => {
    const url = await PLACES[kind]();
    const first = await openStore(url);
    const written = await ledger(first);
    expect(written).toHaveLength(readdirSync(new URL(`../migrations/${kind}/`, import.meta.url)).length);
    await first.ensureQueue("kept");
    await first.migrate();
    await first.close();
    const second = await openStore(url);
    expect(await ledger(second)).toEqual(written);
    expect((await second.read.queues()).map((queue) => queue.name)).toEqual(["kept"]);
    await second.close();
  });

  test("several processes that migrate at once create one schema", async () => {
    const url = await PLACES[kind]();
    const stores = await Promise.all([openStore(url), openStore(url), openStore(url), openStore(url)]);
    const [first] = stores;
    expect(await ledger(first)).toHaveLength(
      readdirSync(new URL(`../migrations/${kind}/`, import.meta.url)).length,
    );
    await Promise.all(stores.map((store) => store.ensureQueue("line")));
    expect(await first.read.queues()).toHaveLength(1);
    await Promise.all(stores.map((store) => store.close()));
  });

  test("a schema that is newer than the program is refused, and left unchanged", async () => {
    const url = await PLACES[kind]();
    const known = Math.max(
      ...readdirSync(new URL(`../migrations/${kind}/`, import.meta.url)).map((file) =>
        Number.parseInt(file, 10),
      ),
    );
    const store = await openStore(url);
    await store.transaction("age", (tx) =>
      tx.query(
        "insert into andon_migrations (migration_set, version, name, at) values ('engine', 999, '999-later.sql', 1)",
      ),
    );
    const written = await ledger(store);
    await expect(openStore(url)).rejects.toMatchObject({
      code: "SCHEMA_TOO_NEW",
      details: { found: 999, known },
    });
    expect(await ledger(store)).toEqual(written);
    await store.close();
  });
});

import { readdir, readFile } from "node:fs/promises";
import { AndonError } from "@andon/contract";
import type { MigrationSet } from "@andon/engine";
import type { Dialect, Session } from "./dialect.ts";

export const ENGINE_MIGRATIONS: MigrationSet = {
  name: "engine",
  folder: new URL("../migrations/", import.meta.url),
};

export const LEDGER_TABLE = "andon_migrations";

const LEDGER = `create table if not exists andon_migrations (
  migration_set text not null, version integer not null, name text not null, at bigint not null,
  primary key (migration_set, version)
)`;

/** Brings the schema up to date inside the caller's transaction. Refuses a schema newer than this program. */
export async function migrate(
  session: Session,
  dialect: Dialect,
  set: MigrationSet,
  now: number,
): Promise<void> {
  const folder = folderOf(dialect.name, set);
  const files = await filesIn(folder);
  await session.raw(LEDGER, []);
  const found = await foundVersion(session, set);
  const known = lastVersion(files);
  await refuseUnreleased(session, set, files);
  if (found > known) throw new AndonError("SCHEMA_TOO_NEW", { found, known });
  for (const file of files) {
    const version = Number.parseInt(file, 10);
    if (version <= found) continue;
    const text = await readFile(new URL(file, folder), "utf8");
    for (const statement of statementsOf(text)) await session.raw(statement, []);
    await session.raw(
      "insert into andon_migrations (migration_set, version, name, at) values ($1, $2, $3, $4)",
      [set.name, version, file, now],
    );
  }
}

/**
 * Refuses a schema from before the first release: its migrations were squashed, and the first file had another name.
 */
async function refuseUnreleased(
  session: Session,
  set: MigrationSet,
  files: readonly string[],
): Promise<void> {
  const [first] = await session.raw<{ name: string }>(
    "select name from andon_migrations where migration_set = $1 and version = 1",
    [set.name],
  );
  if (first && first.name !== files[0]) throw new AndonError("SCHEMA_UNRELEASED", { set: set.name });
}

/** The newest version that this program has. */
export async function knownVersion(dialect: Dialect["name"], set: MigrationSet): Promise<number> {
  return lastVersion(await filesIn(folderOf(dialect, set)));
}

/** The newest version that was applied, 0 if none. The ledger table must exist. */
export async function foundVersion(session: Pick<Session, "raw">, set: MigrationSet): Promise<number> {
  const [row] = await session.raw<{ version: number }>(
    "select version from andon_migrations where migration_set = $1 order by version desc limit 1",
    [set.name],
  );
  return row?.version ?? 0;
}

function folderOf(dialect: Dialect["name"], set: MigrationSet): URL {
  return new URL(`${dialect}/`, set.folder);
}

async function filesIn(folder: URL): Promise<string[]> {
  return (await readdir(folder)).filter((file) => file.endsWith(".sql")).sort();
}

function lastVersion(files: readonly string[]): number {
  return Number.parseInt(files.at(-1) ?? "0", 10);
}

/** Splits at semicolons: our migrations have none inside a statement. */
function statementsOf(text: string): string[] {
  return text
    .replace(/--.*$/gm, "")
    .split(";")
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

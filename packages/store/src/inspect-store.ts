import type { MigrationSet } from "@andon/engine";
import { ENGINE_MIGRATIONS, foundVersion, knownVersion, LEDGER_TABLE } from "./migrate.ts";
import { readSnapshot, type StoreSnapshot } from "./snapshot.ts";

interface SchemaVersion {
  /** The name of the migration set. */
  readonly set: string;
  /** The version in the store; 0: none yet. */
  readonly found: number;
  /** The version of this program. */
  readonly known: number;
}

export interface StoreInspection {
  /** The store's time, in milliseconds. */
  readonly now: number;
  readonly versions: readonly SchemaVersion[];
}

/** The clock and the schema versions of a store, also of one that no program has opened yet. */
export function inspectStore(
  url: string,
  sets: readonly MigrationSet[] = [ENGINE_MIGRATIONS],
): Promise<StoreInspection> {
  return readSnapshot(url, async (snapshot) => {
    const hasLedger = await snapshot.hasTable(LEDGER_TABLE);
    const versions: SchemaVersion[] = [];
    for (const set of sets) versions.push(await versionOf(snapshot, set, hasLedger));
    return { now: snapshot.now, versions };
  });
}

async function versionOf(
  { dialect, query }: StoreSnapshot,
  set: MigrationSet,
  hasLedger: boolean,
): Promise<SchemaVersion> {
  const found = hasLedger ? await foundVersion({ raw: query }, set) : 0;
  return { set: set.name, found, known: await knownVersion(dialect, set) };
}

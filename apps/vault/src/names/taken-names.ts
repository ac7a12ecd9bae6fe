import type { Tx } from "@andon/engine";
import { VaultError } from "../contract/errors.ts";
import { rowBatches } from "../sql-lists.ts";
import type { VaultSettings } from "../vault-context.ts";
import { nameKey } from "./names.ts";

export interface NameHolder {
  readonly tenantId: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: "file" | "folder";
  readonly ownerId: string;
}

/** Replaces the name of a file or folder. */
export async function changeName(tx: Tx, settings: VaultSettings, holder: NameHolder): Promise<void> {
  await releaseName(tx, holder.ownerId);
  await takeName(tx, settings, holder);
}

/** Gives a name to a file or folder that has none. Throws if the name is taken. */
export async function takeName(tx: Tx, settings: VaultSettings, holder: NameHolder): Promise<void> {
  const taken = await takeNames(tx, settings, [holder]);
  if (!taken.has(holder.ownerId)) throw new VaultError("NAME_TAKEN", { name: holder.name });
}

/**
 * Takes the names that are free, and returns the ids of the owners that got theirs. Of two concurrent transactions the
 * second one waits, and does not get the name.
 */
export async function takeNames(
  tx: Tx,
  settings: VaultSettings,
  holders: readonly NameHolder[],
): Promise<ReadonlySet<string>> {
  const rows = holders
    .map(({ tenantId, parentId, name, kind, ownerId }) => ({
      place: `${parentId}/${nameKey(name, settings)}`,
      row: [tenantId, parentId, nameKey(name, settings), kind, ownerId],
    }))
    // Always in the same order: otherwise two transactions that wait for each other's names would deadlock.
    .sort((a, b) => (a.place < b.place ? -1 : 1))
    .map(({ row }) => row);
  const taken = new Set<string>();
  for (const { values, params } of rowBatches(rows)) {
    const owners = await tx.query<{ owner_id: string }>(
      `insert into vault_names (tenant_id, parent_id, name_key, kind, owner_id) values ${values}
on conflict do nothing returning owner_id`,
      params,
    );
    for (const { owner_id } of owners) taken.add(owner_id);
  }
  return taken;
}

export async function releaseName(tx: Tx, ownerId: string): Promise<void> {
  await tx.query("delete from vault_names where owner_id = $1", [ownerId]);
}

/** Checks a name in advance, to refuse an upload early. Only taking the name decides. */
export async function isNameTaken(
  rows: Pick<Tx, "query">,
  settings: VaultSettings,
  place: Pick<NameHolder, "tenantId" | "parentId" | "name">,
): Promise<boolean> {
  const [found] = await rows.query(
    "select owner_id from vault_names where tenant_id = $1 and parent_id = $2 and name_key = $3",
    [place.tenantId, place.parentId, nameKey(place.name, settings)],
  );
  return found !== undefined;
}

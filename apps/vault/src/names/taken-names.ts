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

/** Gives a file or folder its name in place of the one it had. */
export async function changeName(tx: Tx, settings: VaultSettings, holder: NameHolder): Promise<void> {
  await releaseName(tx, holder.ownerId);
  await takeName(tx, settings, holder);
}

/** Gives a file or folder that has no name a free one. */
export async function takeName(tx: Tx, settings: VaultSettings, holder: NameHolder): Promise<void> {
  const taken = await takeNames(tx, settings, [holder]);
  if (!taken.has(holder.ownerId)) throw new VaultError("NAME_TAKEN", { name: holder.name });
}

/** Gives out names as far as they are free, and says who got one. Of two at once the second waits, and gets none. */
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
    // In one order everywhere: two that wait for each other's names would wait for ever.
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

/** A look beforehand, to spare an upload whose name is taken: only taking it decides. */
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

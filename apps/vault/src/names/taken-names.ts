import { AndonError } from "@andon/contract";
import type { Tx } from "@andon/engine";
import type { VaultSettings } from "../parts.ts";
import { nameKey } from "./names.ts";

export interface NameHolder {
  readonly tenantId: string;
  readonly parentId: string;
  readonly name: string;
  readonly kind: "file" | "folder";
  readonly ownerId: string;
}

/** Gives a file or folder its name in place of any it had. Of two at once the second waits, and is refused. */
export async function takeName(tx: Tx, settings: VaultSettings, holder: NameHolder): Promise<void> {
  await releaseName(tx, holder.ownerId);
  const { tenantId, parentId, name, kind, ownerId } = holder;
  const [taken] = await tx.query(
    `insert into vault_names (tenant_id, parent_id, name_key, kind, owner_id) values ($1, $2, $3, $4, $5)
on conflict do nothing returning owner_id`,
    [tenantId, parentId, nameKey(name, settings), kind, ownerId],
  );
  if (!taken) throw new AndonError("NAME_TAKEN", { name });
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

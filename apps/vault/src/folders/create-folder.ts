import { type Call, newId } from "@andon/engine";
import { tenantOfThing } from "../caller.ts";
import { checkedName, checkTenant, sortName } from "../names/names.ts";
import { takeName } from "../names/taken-names.ts";
import type { VaultParts } from "../parts.ts";
import { mustTakeChildren, ROOT } from "./folder-row.ts";
import { lockFolders } from "./locks.ts";
import { below, pathOf } from "./paths.ts";
import type { ShownFolder } from "./shown-folder.ts";

/** Makes a folder. On the NAS it comes into being with its first file. */
export async function createFolder(
  parts: VaultParts,
  call: Pick<Call, "principal" | "idempotencyKey">,
  wish: { name: string; parentId?: string | undefined },
): Promise<ShownFolder> {
  const { settings, andon } = parts;
  const parentId = wish.parentId ?? ROOT;
  const tenantId = await tenantOfThing(andon.store, call, "folder", parentId);
  checkTenant(tenantId, settings);
  const name = checkedName(wish.name, settings);
  const request = { route: "folders.create", fingerprint: JSON.stringify([parentId, name]) };
  return parts.once(call, request, async (tx) => {
    const parents = await lockFolders(tx, tenantId, [parentId]);
    mustTakeChildren(parents.get(parentId));
    const now = andon.store.clock.now();
    const id = newId(now);
    await takeName(tx, settings, { tenantId, parentId, name, kind: "folder", ownerId: id });
    await tx.query(
      `insert into folders (id, tenant_id, parent_id, name, sort_name, state, created_at, updated_at)
values ($1, $2, $3, $4, $5, 'ACTIVE', $6, $6)`,
      [id, tenantId, parentId, name, sortName(name), now],
    );
    const path = below(await pathOf(tx, tenantId, parentId), name);
    return { id, name, parentId, path, state: "ACTIVE" };
  });
}

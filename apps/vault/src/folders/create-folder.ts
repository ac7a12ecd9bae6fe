import type { Call } from "@andon/app";
import { newId } from "@andon/engine";
import { tenantOfItem } from "../caller.ts";
import { checkedName, checkTenant, sortName } from "../names/names.ts";
import { takeName } from "../names/taken-names.ts";
import type { VaultContext } from "../vault-context.ts";
import { mustBeOpenTo, mustTakeChildren, ROOT } from "./folder-row.ts";
import { lockFolders } from "./locks.ts";
import { mustFitPath } from "./path-limits.ts";
import { below, pathOf } from "./paths.ts";
import type { ShownFolder } from "./show-folder.ts";

/** Creates a folder. On the NAS it is created with its first file. */
export async function createFolder(
  vault: VaultContext,
  call: Pick<Call, "principal" | "idempotencyKey">,
  wanted: { name: string; parentId?: string | undefined },
): Promise<ShownFolder> {
  const { settings, andon } = vault;
  const parentId = wanted.parentId ?? ROOT;
  const tenantId = await tenantOfItem(andon.store, call, "folder", parentId);
  checkTenant(tenantId, settings);
  const name = checkedName(wanted.name, settings);
  const request = { route: "folders.create", fingerprint: JSON.stringify([parentId, name]) };
  return vault.once(call, request, async (tx) => {
    const parents = await lockFolders(tx, tenantId, [parentId]);
    const parent = parents.get(parentId);
    mustBeOpenTo(parent, call.principal.organizationId);
    mustTakeChildren(parent);
    const organizationId = call.principal.organizationId ?? parent.organizationId;
    const path = below(await pathOf(tx, tenantId, parentId), name);
    mustFitPath(path, "folder");
    const now = andon.store.clock.now();
    const id = newId(now);
    await takeName(tx, settings, { tenantId, parentId, name, kind: "folder", ownerId: id });
    await tx.query(
      `insert into folders (id, tenant_id, organization_id, parent_id, name, sort_name, state, created_at, updated_at)
values ($1, $2, $3, $4, $5, $6, 'ACTIVE', $7, $7)`,
      [id, tenantId, organizationId, parentId, name, sortName(name), now],
    );
    return { id, name, parentId, path, state: "ACTIVE" };
  });
}

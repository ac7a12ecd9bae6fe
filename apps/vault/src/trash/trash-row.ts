import type { Tx } from "@andon/engine";
import type { VaultContext } from "../vault-context.ts";

export interface Trashed {
  readonly itemId: string;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly kind: "file" | "folder";
  readonly name: string;
  readonly originalPath: string;
  readonly originalParentId: string;
  readonly size: number | null;
  readonly deletedAt: number;
  readonly expiresAt: number;
}

export const TRASH_COLUMNS = `item_id as "itemId", tenant_id as "tenantId", organization_id as "organizationId", kind, name, original_path as "originalPath",
original_parent_id as "originalParentId", size, deleted_at as "deletedAt", expires_at as "expiresAt"`;

export async function putInTrash(tx: Tx, item: Trashed): Promise<void> {
  await tx.query(
    `insert into trash_metadata
  (item_id, tenant_id, organization_id, kind, name, original_path, original_parent_id, size, deleted_at, expires_at)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    [
      item.itemId,
      item.tenantId,
      item.organizationId,
      item.kind,
      item.name,
      item.originalPath,
      item.originalParentId,
      item.size,
      item.deletedAt,
      item.expiresAt,
    ],
  );
}

/** Deletes the row of an item in the trash, and returns it. */
export async function takeFromTrash(tx: Tx, tenantId: string, itemId: string): Promise<Trashed | undefined> {
  const [found] = await tx.query<Trashed>(
    `delete from trash_metadata where tenant_id = $1 and item_id = $2 returning ${TRASH_COLUMNS}`,
    [tenantId, itemId],
  );
  return found;
}

export async function findInTrash(
  rows: Pick<Tx, "query">,
  tenantId: string,
  itemId: string,
): Promise<Trashed | undefined> {
  const [found] = await rows.query<Trashed>(
    `select ${TRASH_COLUMNS} from trash_metadata where tenant_id = $1 and item_id = $2`,
    [tenantId, itemId],
  );
  return found;
}

/**
 * Whether an item has expired in the trash. Read after the item is locked, because it may have been restored and
 * trashed again.
 */
export async function hasExpired(
  { andon }: VaultContext,
  tx: Tx,
  tenantId: string,
  itemId: string,
): Promise<boolean> {
  const trashed = await findInTrash(tx, tenantId, itemId);
  return trashed !== undefined && trashed.expiresAt <= andon.store.clock.now();
}

import type { Store, Tx } from "@andon/engine";

interface FileOfTenant {
  readonly tenantId: string;
  readonly fileId: string;
}

/** Marks the executions of deleted files, including files in a trash. The executions stay. */
export async function markDeleted(store: Store | Tx, files: readonly FileOfTenant[]): Promise<void> {
  await mark(store, files, 1);
}

/** Removes the mark for files that are restored from a trash. */
export async function markRestored(tx: Tx, files: readonly FileOfTenant[]): Promise<void> {
  await mark(tx, files, 0);
}

async function mark(store: Store | Tx, files: readonly FileOfTenant[], isDeleted: 0 | 1): Promise<void> {
  for (const { tenantId, fileId } of files) {
    const sql = `update fileflow_executions set file_deleted = ${isDeleted} where tenant_id = $1 and file_id = $2`;
    if ("transaction" in store)
      await store.transaction("file-deleted", (tx) => tx.query(sql, [tenantId, fileId]));
    else await store.query(sql, [tenantId, fileId]);
  }
}

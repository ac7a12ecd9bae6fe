import type { Store, Tx } from "@andon/engine";

/** The files of executions that are gone. Their executions stay. */
export async function markDeleted(
  store: Store | Tx,
  files: readonly { readonly tenantId: string; readonly fileId: string }[],
): Promise<void> {
  for (const { tenantId, fileId } of files) {
    const sql = "update fileflow_executions set file_deleted = 1 where tenant_id = $1 and file_id = $2";
    if ("transaction" in store)
      await store.transaction("file-deleted", (tx) => tx.query(sql, [tenantId, fileId]));
    else await store.query(sql, [tenantId, fileId]);
  }
}

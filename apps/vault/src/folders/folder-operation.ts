import { AndonError, iso } from "@andon/contract";
import type { Store } from "@andon/engine";

interface OperationRow {
  folderId: string;
  kind: "RENAME" | "MOVE";
  total: number;
  createdAt: number;
  open: number | null;
  failed: number | null;
}

/** How far a rename or move of a folder is. A job that is no longer kept ended long ago. */
export async function showFolderOperation(store: Store, tenantId: string, id: string) {
  const [row] = await store.query<OperationRow>(
    `select o.folder_id as "folderId", o.kind, o.total, o.created_at as "createdAt",
  sum(case when a.state = 'open' then 1 else 0 end) as "open",
  sum(case when a.state = 'failed' then 1 else 0 end) as failed
from folder_operations o
left join folder_operation_jobs j on j.operation_id = o.id
left join andon_jobs a on a.id = j.job_id
where o.tenant_id = $1 and o.id = $2
group by o.id, o.folder_id, o.kind, o.total, o.created_at`,
    [tenantId, id],
  );
  if (!row) throw new AndonError("OPERATION_NOT_FOUND", { operation: id });
  const { folderId, kind, total } = row;
  const open = row.open ?? 0;
  const failed = row.failed ?? 0;
  const state = failed > 0 ? ("HELD" as const) : open > 0 ? ("RUNNING" as const) : ("DONE" as const);
  const createdAt = iso(row.createdAt);
  return { id, folderId, kind, state, total, done: total - open - failed, failed, createdAt };
}

import { AndonError, iso } from "@andon/contract";
import type { Store } from "@andon/engine";
import { type Owner, ofOrganization } from "../owner.ts";

interface OperationRow {
  folderId: string;
  kind: "RENAME" | "MOVE";
  total: number;
  createdAt: number;
  open: number | null;
  failed: number | null;
}

/**
 * The progress of a rename or move of a folder. A job that has been purged ended long ago. A subquery, not a join: the
 * view must be read by the job's id.
 */
export async function showFolderOperation(store: Store, owner: Owner, id: string) {
  const own = ofOrganization(owner, [owner.tenantId, id], "o.organization_id");
  const [row] = await store.scan<OperationRow>(
    `select o.folder_id as "folderId", o.kind, o.total, o.created_at as "createdAt",
  sum(case when j.status in ('PENDING', 'PROCESSING') then 1 else 0 end) as "open",
  sum(case when j.status = 'FAILED' then 1 else 0 end) as failed
from folder_operations o
left join (
  select operation_id, (select q.status from file_sync_queue q where q.id = job_id) as status
  from folder_operation_jobs where operation_id = $2
) j on j.operation_id = o.id
where o.tenant_id = $1 and o.id = $2${own.sql}
group by o.id, o.folder_id, o.kind, o.total, o.created_at`,
    own.params,
  );
  if (!row) throw new AndonError("OPERATION_NOT_FOUND", { operation: id });
  const { folderId, kind, total } = row;
  const open = row.open ?? 0;
  const failed = row.failed ?? 0;
  const state = failed > 0 ? ("HELD" as const) : open > 0 ? ("RUNNING" as const) : ("DONE" as const);
  const createdAt = iso(row.createdAt);
  return { id, folderId, kind, state, total, done: total - open - failed, failed, createdAt };
}

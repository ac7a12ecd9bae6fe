import type { Tx } from "@andon/engine";
import type { SyncFile } from "../sync/enqueue.ts";

interface FileBelow {
  readonly file: SyncFile;
  /** The path from the folder to the file's own folder: empty, or beginning with `/`. */
  readonly inner: string;
}

/** Every file of a subtree that is not in the trash, in one statement. */
export async function filesBelow(tx: Tx, tenantId: string, folderId: string): Promise<FileBelow[]> {
  const found = await tx.query<SyncFile & { inner: string }>(
    `with recursive below (id, path) as (
  select id, cast('' as text) from folders where tenant_id = $1 and id = $2
  union all
  select f.id, below.path || '/' || f.name
  from below join folders f on f.tenant_id = $1 and f.parent_id = below.id
)
select f.id, f.tenant_id as "tenantId", f.organization_id as "organizationId", f.folder_id as "folderId", f.name, f.size, f.mime_type as "mimeType", f.sha256,
  below.path as "inner"
from below join files f on f.tenant_id = $1 and f.folder_id = below.id and f.state = 'ACTIVE'`,
    [tenantId, folderId],
  );
  // Not sorted by the database: PostgreSQL would scan the files of all tenants in that order.
  return found.sort((a, b) => (a.id < b.id ? -1 : 1)).map(({ inner, ...file }) => ({ file, inner }));
}

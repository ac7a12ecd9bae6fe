import { iso, type SyncOperation } from "@andon/contract";
import type { Store, Tx } from "@andon/engine";
import { countRows, type Listing, type PageWish, pageOf, rowsOf } from "../bounded-list.ts";
import type { File } from "../files/file-row.ts";
import { below, pathsOf } from "../folders/paths.ts";
import { SYNC_QUEUE } from "../parts.ts";
import { findInTrash } from "../trash/trash-row.ts";
import { laneOf } from "./file-operations.ts";

interface Held extends Pick<File, "id" | "tenantId" | "folderId" | "name" | "state"> {
  readonly heldAt: number;
  readonly operation: SyncOperation;
  readonly error: string | null;
  readonly waitingBehind: number;
  readonly jobId: string;
}

/** Files that wait for a person, longest held first; of one tenant, or of all. */
export async function heldFiles(store: Store, tenantId: string | null, wish: PageWish) {
  const listing = heldListing(tenantId);
  const counted = await countRows(store, listing);
  const held = await rowsOf<Held>(store, listing, {
    offset: (wish.page - 1) * wish.limit,
    limit: wish.limit,
  });
  return pageOf(wish, counted, await Promise.all(held.map((file) => entryOf(store, file))));
}

function heldListing(tenantId: string | null): Listing {
  const ofTenant = tenantId === null ? "" : " and f.tenant_id = $2";
  return {
    candidates: `select f.id as id, f.tenant_id as "tenantId", f.folder_id as "folderId", f.name, f.state,
  l.held_at as "heldAt", j.name as operation, j.error_message as error, l.depth - 1 as "waitingBehind", j.id as "jobId"
from andon_lanes l
join files f on f.id = substr(l.lane_key, ${laneOf("").length + 1})
join andon_jobs j on j.id = l.held_job_id
where l.queue = $1 and l.held_at is not null and l.lane_key like '${laneOf("%")}' and j.state = 'failed'${ofTenant}`,
    params: tenantId === null ? [SYNC_QUEUE] : [SYNC_QUEUE, tenantId],
    order: '"heldAt", id',
  };
}

async function entryOf(rows: Pick<Tx, "query">, file: Held) {
  const { id, name, heldAt, operation, error, waitingBehind, jobId } = file;
  return {
    fileId: id,
    name,
    path: await shownPath(rows, file),
    heldAt: iso(heldAt),
    operation,
    error,
    waitingBehind,
    jobId,
  };
}

/** As its people see it; one in the trash is shown where it was, and so is one that is deleted for good. */
async function shownPath(rows: Pick<Tx, "query">, file: Held): Promise<string> {
  const { id, tenantId, folderId, name, state } = file;
  const trashed = state === "TRASHED" ? await findInTrash(rows, tenantId, id) : undefined;
  if (trashed) return trashed.originalPath;
  const folders = await pathsOf(rows, tenantId, [folderId]);
  return below(folders.get(folderId) ?? "/", name);
}

import type { Tx } from "@andon/engine";
import { FOLDER_COLUMNS, type Folder, ROOT } from "./folder-row.ts";

/**
 * How paths stay right while requests overlap. The path of a file consists of the names of all folders above it, and it
 * is written into the file's operation, so nothing above may change before the commit.
 *
 * - A change inside a folder (a file or folder that is added, removed or renamed) locks that folder's row first.
 * - A move or rename of a folder locks the rows of all folders below it, and of the target folder.
 *
 * So a change in a folder and a move of any folder above it conflict at that folder's row, and the later one reads
 * paths after the earlier one's commit: a statement sees what is committed when it begins, and paths are read after the
 * locks. Two moves that would create a cycle conflict too: the target of each is in the other's subtree. The root needs
 * no lock, because it never changes. A row is locked by an update that changes nothing, which works on both databases;
 * on SQLite there is only one writer anyway. The row of a file is locked before those of its folders, and no change of
 * a folder locks files; if requests still deadlock, PostgreSQL aborts one and the store retries it.
 */

/** Locks these folders in the order of their ids; those that do not exist are left out. */
export async function lockFolders(
  tx: Tx,
  tenantId: string,
  ids: Iterable<string>,
): Promise<ReadonlyMap<string, Folder>> {
  const locked = new Map<string, Folder>([[ROOT, rootOf(tenantId)]]);
  for (const id of [...new Set(ids)].sort()) {
    if (id === ROOT) continue;
    const [folder] = await tx.query<Folder>(
      `update folders set updated_at = updated_at where tenant_id = $1 and id = $2 returning ${FOLDER_COLUMNS}`,
      [tenantId, id],
    );
    if (folder) locked.set(id, folder);
  }
  return locked;
}

/**
 * Locks a folder and all folders below it. A folder can be added to the subtree between the read and the lock, so the
 * statement is repeated until it finds no new folder: nothing can be added to a locked folder. Returns the ids.
 */
export async function lockSubtree(tx: Tx, tenantId: string, id: string): Promise<ReadonlySet<string>> {
  const locked = new Set<string>();
  for (;;) {
    const found = await tx.query<{ id: string }>(
      `with recursive below (id) as (
  select id from folders where tenant_id = $1 and id = $2
  union all
  select f.id from below join folders f on f.tenant_id = $1 and f.parent_id = below.id
)
update folders set updated_at = updated_at where id in (select id from below) returning id`,
      [tenantId, id],
    );
    const before = locked.size;
    for (const folder of found) locked.add(folder.id);
    if (locked.size === before) return locked;
  }
}

function rootOf(tenantId: string): Folder {
  return { id: ROOT, tenantId, organizationId: null, parentId: "", name: "", state: "ACTIVE", updatedAt: 0 };
}

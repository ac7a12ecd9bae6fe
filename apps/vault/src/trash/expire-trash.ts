import { change } from "../change.ts";
import { purgeExpired } from "../files/purge-file.ts";
import { lockFolders } from "../folders/locks.ts";
import type { Pace } from "../pace.ts";
import type { VaultParts } from "../parts.ts";
import { removeTrashedFolder } from "./remove-trashed-folder.ts";
import { hasExpired, TRASH_COLUMNS, type Trashed, takeFromTrash } from "./trash-row.ts";

const AT_ONCE = 100;

/**
 * Deletes for good what has been in the trash for long enough. Folders need the NAS now, files only a job: a NAS that is away
 * keeps the folders, and is told of at the end.
 */
export async function expireTrash(parts: VaultParts, pace: Pace): Promise<void> {
  const { store } = parts.andon;
  const now = store.clock.now();
  let last = { expiresAt: 0, itemId: "" };
  let problem: unknown;
  for (;;) {
    // What is on its way back from the trash stays: the next stretch begins after it.
    const expired = await store.query<Trashed>(
      `select ${TRASH_COLUMNS} from trash_metadata
where expires_at <= $1 and (expires_at > $2 or (expires_at = $2 and item_id > $3))
order by expires_at, item_id limit ${AT_ONCE}`,
      [now, last.expiresAt, last.itemId],
    );
    for (const item of expired) {
      pace();
      if (item.kind === "file") await purgeExpired(parts, item.tenantId, item.itemId);
      else {
        await expireFolder(parts, item).catch((error: unknown) => {
          problem ??= error;
        });
      }
      last = item;
    }
    if (expired.length < AT_ONCE) break;
  }
  if (problem) throw problem;
}

/**
 * Files that are not ours may have come into it on the NAS: these are never deleted. A folder that something else in the trash
 * would go back to stays as long as that does; nothing new comes into a folder in the trash, so one look is enough.
 */
async function expireFolder(parts: VaultParts, { tenantId, itemId }: Trashed): Promise<void> {
  if (await isWaitedFor(parts, tenantId, itemId)) return;
  await removeTrashedFolder(parts.nas, tenantId, itemId);
  await change(parts, async (tx) => {
    const folder = (await lockFolders(tx, tenantId, [itemId])).get(itemId);
    if (folder?.state !== "TRASHED" || !(await hasExpired(parts, tx, tenantId, itemId))) return;
    await tx.query("delete from folders where id = $1", [itemId]);
    await takeFromTrash(tx, tenantId, itemId);
  });
}

async function isWaitedFor({ andon }: VaultParts, tenantId: string, folderId: string): Promise<boolean> {
  const children = await andon.store.query(
    `select id from files where tenant_id = $1 and folder_id = $2 and state = 'TRASHED'
union all
select id from folders where tenant_id = $1 and parent_id = $2 and state = 'TRASHED'
limit 1`,
    [tenantId, folderId],
  );
  return children.length > 0;
}

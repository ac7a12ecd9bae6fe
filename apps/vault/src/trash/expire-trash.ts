import { change } from "../change.ts";
import { purgeExpired } from "../files/purge-file.ts";
import { lockFolders } from "../folders/locks.ts";
import type { StepGuard } from "../step-guard.ts";
import type { VaultContext } from "../vault-context.ts";
import { removeTrashedFolder } from "./remove-trashed-folder.ts";
import { hasExpired, TRASH_COLUMNS, type Trashed, takeFromTrash } from "./trash-row.ts";

const AT_ONCE = 100;

/**
 * Deletes expired items of the trash for good. A folder needs the NAS at once, a file only a job: if the NAS is
 * unreachable, the folders stay, and its error is thrown at the end.
 */
export async function expireTrash(vault: VaultContext, guard: StepGuard): Promise<void> {
  const { store } = vault.andon;
  const now = store.clock.now();
  let last = { expiresAt: 0, itemId: "" };
  let problem: unknown;
  for (;;) {
    // An item that is being restored stays: the next batch begins after it.
    const expired = await store.query<Trashed>(
      `select ${TRASH_COLUMNS} from trash_metadata
where expires_at <= $1 and (expires_at > $2 or (expires_at = $2 and item_id > $3))
order by expires_at, item_id limit ${AT_ONCE}`,
      [now, last.expiresAt, last.itemId],
    );
    for (const item of expired) {
      guard();
      if (item.kind === "file") await purgeExpired(vault, item.tenantId, item.itemId);
      else {
        await expireFolder(vault, item).catch((error: unknown) => {
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
 * Files of other programs in the folder on the NAS are never deleted. A folder stays while another item in the trash
 * would be restored to it. Nothing is added to a folder in the trash, so one check is enough.
 */
async function expireFolder(vault: VaultContext, { tenantId, itemId }: Trashed): Promise<void> {
  if (await isWaitedFor(vault, tenantId, itemId)) return;
  await removeTrashedFolder(vault.nas, tenantId, itemId);
  await change(vault, async (tx) => {
    const folder = (await lockFolders(tx, tenantId, [itemId])).get(itemId);
    if (folder?.state !== "TRASHED" || !(await hasExpired(vault, tx, tenantId, itemId))) return;
    await tx.query("delete from folders where id = $1", [itemId]);
    await takeFromTrash(tx, tenantId, itemId);
  });
}

async function isWaitedFor({ andon }: VaultContext, tenantId: string, folderId: string): Promise<boolean> {
  const children = await andon.store.query(
    `select id from files where tenant_id = $1 and folder_id = $2 and state = 'TRASHED'
union all
select id from folders where tenant_id = $1 and parent_id = $2 and state = 'TRASHED'
limit 1`,
    [tenantId, folderId],
  );
  return children.length > 0;
}

import { purgeExpired } from "../files/purge-file.ts";
import type { Pace } from "../pace.ts";
import { trashPath } from "../nas/nas-path.ts";
import type { VaultParts } from "../parts.ts";
import { TRASH_COLUMNS, type Trashed } from "./trash-row.ts";

const AT_ONCE = 100;

/** Deletes for good what has been in the trash for long enough. */
export async function expireTrash(parts: VaultParts, pace: Pace): Promise<void> {
  const { store } = parts.andon;
  const now = store.clock.now();
  let last = { expiresAt: 0, itemId: "" };
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
      else await expireFolder(parts, item);
      last = item;
    }
    if (expired.length < AT_ONCE) return;
  }
}

/** Files that are not ours may have come into it on the NAS: these are never deleted. */
async function expireFolder(
  { andon, nas }: VaultParts,
  { tenantId, itemId, expiresAt }: Trashed,
): Promise<void> {
  await nas.removeFolderIfEmpty(trashPath(tenantId, itemId));
  await andon.transaction(async (tx) => {
    const [gone] = await tx.query(
      "delete from folders where tenant_id = $1 and id = $2 and state = 'TRASHED' returning id",
      [tenantId, itemId],
    );
    if (!gone) return;
    await tx.query("delete from trash_metadata where tenant_id = $1 and item_id = $2 and expires_at = $3", [
      tenantId,
      itemId,
      expiresAt,
    ]);
  });
}

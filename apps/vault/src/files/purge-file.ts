import type { Tx } from "@andon/engine";
import type { Caller, Decider } from "../caller.ts";
import { change } from "../change.ts";
import { lockFolders } from "../folders/locks.ts";
import { below, pathOf } from "../folders/paths.ts";
import { releaseName } from "../names/taken-names.ts";
import { nasPath, trashPath } from "../nas/nas-path.ts";
import { recordDecision } from "../record-decision.ts";
import { queueOperation } from "../sync/enqueue.ts";
import { hasExpired, takeFromTrash } from "../trash/trash-row.ts";
import type { VaultContext } from "../vault-context.ts";
import { FILE_COLUMNS, type File, lockFile } from "./file-row.ts";
import type { RemovedFile } from "./trash-file.ts";
import { BUCKET } from "./vault-bucket.ts";

/** Deletes a file permanently, from the trash or not. It is invisible at once; its operation removes the bytes. */
export async function purgeFile(vault: VaultContext, decider: Decider, id: string): Promise<RemovedFile> {
  return change(vault, async (tx) => {
    const file = await lockFile(tx, decider, id);
    const removed = await purgeLocked(vault, tx, decider, file);
    await recordDecision(tx, decider, {
      action: "file.purge",
      of: file,
      target: `file:${id}`,
      before: { name: file.name, state: file.state },
      after: { state: removed.state },
    });
    return removed;
  });
}

/** Deletes a file permanently if it is in the trash and has expired. */
export async function purgeExpired(vault: VaultContext, tenantId: string, id: string): Promise<void> {
  await change(vault, async (tx) => {
    const [file] = await tx.query<File>(
      `update files set updated_at = updated_at where tenant_id = $1 and id = $2 and state = 'TRASHED'
returning ${FILE_COLUMNS}`,
      [tenantId, id],
    );
    if (file && (await hasExpired(vault, tx, tenantId, id))) await purgeLocked(vault, tx, {}, file);
  });
}

async function purgeLocked(
  vault: VaultContext,
  tx: Tx,
  caller: Pick<Caller, "traceId">,
  file: File,
): Promise<RemovedFile> {
  const { id, tenantId, name } = file;
  const source = await placeOnNas(tx, file);
  const deletedAt = vault.andon.store.clock.now();
  await tx.query("update files set state = 'DELETED', deleted_at = $2, updated_at = $2 where id = $1", [
    id,
    deletedAt,
  ]);
  await takeFromTrash(tx, tenantId, id);
  await releaseName(tx, id);
  await vault.announce("object.deleted", [{ bucket: BUCKET, fileId: id, tenantId }], tx);
  const { traceId } = caller;
  const queued = await queueOperation(vault, tx, {
    file,
    operation: "DELETE",
    source,
    target: null,
    traceId,
  });
  return { id, name, state: "DELETED", deletedAt, expiresAt: null, ...queued };
}

async function placeOnNas(tx: Tx, { id, tenantId, state, folderId, name }: File): Promise<string> {
  if (state === "TRASHED") return trashPath(tenantId, id, name);
  await lockFolders(tx, tenantId, [folderId]);
  return nasPath(tenantId, below(await pathOf(tx, tenantId, folderId), name));
}

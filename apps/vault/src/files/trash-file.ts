import type { Localized } from "@andon/contract";
import type { Caller } from "../caller.ts";
import { change } from "../change.ts";
import { lockFolders } from "../folders/locks.ts";
import { below, pathOf } from "../folders/paths.ts";
import { releaseName } from "../names/taken-names.ts";
import { nasPath, trashPath } from "../nas/nas-path.ts";
import { type Queued, queueOperation } from "../sync/enqueue.ts";
import { putInTrash } from "../trash/trash-row.ts";
import type { VaultContext } from "../vault-context.ts";
import { lockFile, mustNotBeTrashed } from "./file-row.ts";
import { BUCKET } from "./vault-bucket.ts";

export interface RemovedFile extends Queued {
  readonly id: string;
  readonly name: string;
  readonly state: "TRASHED" | "DELETED";
  readonly deletedAt: number;
  readonly expiresAt: number | null;
}

const DELETE_FOR_GOOD: Localized = {
  en: "delete it for good with `?permanent=true`, or restore it",
  ko: "영구 삭제하려면 `?permanent=true`를 붙이고, 되돌리려면 복원하세요",
};

/** Moves a file to the trash. Its name is free again at once. */
export async function trashFile(vault: VaultContext, caller: Caller, id: string): Promise<RemovedFile> {
  const { andon, settings } = vault;
  const { tenantId, traceId } = caller;
  return change(vault, async (tx) => {
    const file = await lockFile(tx, caller, id);
    mustNotBeTrashed(file, DELETE_FOR_GOOD);
    const { name, folderId, size } = file;
    await lockFolders(tx, tenantId, [folderId]);
    const path = below(await pathOf(tx, tenantId, folderId), name);
    const deletedAt = andon.store.clock.now();
    const expiresAt = deletedAt + settings.trashKeep;
    await tx.query("update files set state = 'TRASHED', deleted_at = $2, updated_at = $2 where id = $1", [
      id,
      deletedAt,
    ]);
    await putInTrash(tx, {
      itemId: id,
      tenantId,
      organizationId: file.organizationId,
      kind: "file",
      name,
      originalPath: path,
      originalParentId: folderId,
      size,
      deletedAt,
      expiresAt,
    });
    await releaseName(tx, id);
    await vault.announce("object.deleted", [{ bucket: BUCKET, fileId: id, tenantId }], tx);
    const queued = await queueOperation(vault, tx, {
      file,
      operation: "TRASH",
      source: nasPath(tenantId, path),
      target: trashPath(tenantId, id, name),
      traceId,
    });
    return { id, name, state: "TRASHED", deletedAt, expiresAt, ...queued };
  });
}

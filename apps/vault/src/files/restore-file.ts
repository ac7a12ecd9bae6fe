import type { Decider } from "../caller.ts";
import { change } from "../change.ts";
import { mustTakeChildren } from "../folders/folder-row.ts";
import { lockFolders } from "../folders/locks.ts";
import { mustFitPath } from "../folders/path-limits.ts";
import { below, pathOf } from "../folders/paths.ts";
import { changeName } from "../names/taken-names.ts";
import { nasPath, trashPath } from "../nas/nas-path.ts";
import { recordDecision } from "../record-decision.ts";
import { queueOperation } from "../sync/enqueue.ts";
import { takeFromTrash } from "../trash/trash-row.ts";
import type { VaultContext } from "../vault-context.ts";
import { lockFile, mustBeTrashed } from "./file-row.ts";
import type { ChangedFile } from "./relocate.ts";
import { BUCKET } from "./vault-bucket.ts";

/** Restores a file to the folder it was in, wherever that folder is now. */
export async function restoreFile(vault: VaultContext, decider: Decider, id: string): Promise<ChangedFile> {
  const { andon, settings } = vault;
  const { tenantId, traceId } = decider;
  return change(vault, async (tx) => {
    const file = await lockFile(tx, decider, id);
    mustBeTrashed(file.state);
    const { name, folderId } = file;
    const folders = await lockFolders(tx, tenantId, [folderId]);
    mustTakeChildren(folders.get(folderId));
    const path = below(await pathOf(tx, tenantId, folderId), name);
    mustFitPath(path, "file");
    await changeName(tx, settings, { tenantId, parentId: folderId, name, kind: "file", ownerId: id });
    await takeFromTrash(tx, tenantId, id);
    await tx.query("update files set state = 'ACTIVE', deleted_at = null, updated_at = $2 where id = $1", [
      id,
      andon.store.clock.now(),
    ]);
    await vault.announce("object.restored", [{ bucket: BUCKET, fileId: id, tenantId }], tx);
    const queued = await queueOperation(vault, tx, {
      file,
      operation: "RESTORE",
      source: trashPath(tenantId, id, name),
      target: nasPath(tenantId, path),
      traceId,
    });
    await recordDecision(tx, decider, {
      action: "file.restore",
      of: file,
      target: `file:${id}`,
      before: { name, state: file.state },
      after: { state: "ACTIVE", path },
    });
    return { id, name, folderId, path, state: "ACTIVE", ...queued };
  });
}

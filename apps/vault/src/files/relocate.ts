import type { Caller } from "../caller.ts";
import { change } from "../change.ts";
import { mustBeOpenTo, mustTakeChildren } from "../folders/folder-row.ts";
import { lockFolders } from "../folders/locks.ts";
import { mustFitPath } from "../folders/path-limits.ts";
import { below, pathsOf } from "../folders/paths.ts";
import { sortName } from "../names/names.ts";
import { changeName } from "../names/taken-names.ts";
import { nasPath } from "../nas/nas-path.ts";
import { type Queued, queueOperation } from "../sync/enqueue.ts";
import type { VaultContext } from "../vault-context.ts";
import { lockFile, mustNotBeTrashed } from "./file-row.ts";

export interface ChangedFile extends Queued {
  readonly id: string;
  readonly name: string;
  readonly folderId: string;
  readonly path: string;
  readonly state: "ACTIVE";
}

/**
 * Renames or moves a file. The name and folder that it already has are no error and no special case: its operation then
 * ensures that the NAS has the file there.
 */
export async function relocate(
  vault: VaultContext,
  caller: Caller,
  id: string,
  operation: "RENAME" | "MOVE",
  to: { readonly name?: string; readonly folderId?: string },
): Promise<ChangedFile> {
  const { andon, settings } = vault;
  const { tenantId, traceId } = caller;
  return change(vault, async (tx) => {
    const before = await lockFile(tx, caller, id);
    mustNotBeTrashed(before);
    const file = { ...before, name: to.name ?? before.name, folderId: to.folderId ?? before.folderId };
    const folders = await lockFolders(tx, tenantId, [before.folderId, file.folderId]);
    if (file.folderId !== before.folderId) mustBeOpenTo(folders.get(file.folderId), caller.organizationId);
    mustTakeChildren(folders.get(file.folderId));
    const paths = await pathsOf(tx, tenantId, [before.folderId, file.folderId]);
    const [from, path] = [before, file].map(({ folderId, name }) =>
      below(paths.get(folderId) as string, name),
    ) as [string, string];
    mustFitPath(path, "file");
    const { name, folderId } = file;
    await changeName(tx, settings, { tenantId, parentId: folderId, name, kind: "file", ownerId: id });
    await tx.query(
      "update files set folder_id = $2, name = $3, sort_name = $4, updated_at = $5 where id = $1",
      [id, folderId, name, sortName(name), andon.store.clock.now()],
    );
    const [source, target] = [nasPath(tenantId, from), nasPath(tenantId, path)];
    const queued = await queueOperation(vault, tx, { file, operation, source, target, traceId });
    return { id, name, folderId, path, state: "ACTIVE", ...queued };
  });
}

import { newId, type Tx } from "@andon/engine";
import type { Caller } from "../caller.ts";
import { change } from "../change.ts";
import { VaultError } from "../contract/errors.ts";
import { sortName } from "../names/names.ts";
import { changeName } from "../names/taken-names.ts";
import { nasPath } from "../nas/nas-path.ts";
import { rowBatches } from "../sql-lists.ts";
import { queueOperations } from "../sync/enqueue.ts";
import type { VaultContext } from "../vault-context.ts";
import { filesBelow } from "./files-below.ts";
import { type Folder, findFolder, mustBeOpenTo, mustNotBeRoot, mustTakeChildren } from "./folder-row.ts";
import { lockFolders, lockSubtree } from "./locks.ts";
import { mustFitBelow, mustFitPath } from "./path-limits.ts";
import { below, pathsOf } from "./paths.ts";
import type { ShownFolder } from "./show-folder.ts";

type Kind = "RENAME" | "MOVE";

interface RelocatedFolder extends ShownFolder {
  affectedFiles: number;
  operationId: string | null;
}

/**
 * Renames or moves a folder. Its files keep their rows; each gets one operation that moves it to its new path on the
 * NAS. Files in the trash stay where they are.
 */
export async function relocateFolder(
  vault: VaultContext,
  caller: Caller,
  id: string,
  kind: Kind,
  to: { readonly name?: string; readonly parentId?: string },
): Promise<RelocatedFolder> {
  mustNotBeRoot(id);
  const { andon, settings } = vault;
  const { tenantId } = caller;
  return change(vault, async (tx) => {
    const known = await findFolder(tx, caller, id);
    if (!known) throw new VaultError("FOLDER_NOT_FOUND");
    // Both ends first, in the order of their ids: otherwise two moves in opposite directions would deadlock.
    await lockFolders(tx, tenantId, [id, to.parentId ?? known.parentId]);
    const subtree = await lockSubtree(tx, tenantId, id);
    const before = await findFolder(tx, caller, id);
    if (!before) throw new VaultError("FOLDER_NOT_FOUND");
    if (before.state !== "ACTIVE") throw new VaultError("FOLDER_ALREADY_TRASHED", { folderId: id });
    const { name, parentId } = { name: before.name, parentId: before.parentId, ...to };
    const parent = (await lockFolders(tx, tenantId, [parentId])).get(parentId);
    if (parent && subtree.has(parentId)) throw new VaultError("FOLDER_CYCLE", { folderId: id });
    if (parentId !== before.parentId) mustBeOpenTo(parent, caller.organizationId);
    mustTakeChildren(parent);
    const paths = await pathsOf(tx, tenantId, [before.parentId, parentId]);
    const from = below(paths.get(before.parentId) as string, before.name);
    const path = below(paths.get(parentId) as string, name);
    const shown = { id, name, parentId, path, state: "ACTIVE" as const };
    if (path === from) return { ...shown, affectedFiles: 0, operationId: null };
    await mustFitBelow(tx, tenantId, { id, from, path });
    await changeName(tx, settings, { tenantId, parentId, name, kind: "folder", ownerId: id });
    await tx.query(
      "update folders set parent_id = $2, name = $3, sort_name = $4, updated_at = $5 where id = $1",
      [id, parentId, name, sortName(name), andon.store.clock.now()],
    );
    const jobs = await queueMoves(vault, tx, caller, { id, from, path });
    const operationId = await noteOperation(vault, tx, before, { kind, jobs });
    return { ...shown, affectedFiles: jobs.length, operationId };
  });
}

async function queueMoves(
  vault: VaultContext,
  tx: Tx,
  { tenantId, traceId }: Caller,
  folder: { id: string; from: string; path: string },
): Promise<string[]> {
  const files = await filesBelow(tx, tenantId, folder.id);
  for (const { file, inner } of files) mustFitPath(`${folder.path}${inner}/${file.name}`, "file");
  const queued = await queueOperations(
    vault,
    tx,
    files.map(({ file, inner }) => ({
      file,
      operation: "MOVE" as const,
      source: nasPath(tenantId, `${folder.from}${inner}/${file.name}`),
      target: nasPath(tenantId, `${folder.path}${inner}/${file.name}`),
      traceId,
    })),
  );
  return queued.map(({ syncQueueId }) => syncQueueId);
}

/** Records the operation, whose progress is that of its jobs. Without files there are no jobs. */
async function noteOperation(
  { andon }: VaultContext,
  tx: Tx,
  { tenantId, organizationId, id }: Folder,
  { kind, jobs }: { kind: Kind; jobs: readonly string[] },
): Promise<string | null> {
  if (jobs.length === 0) return null;
  const now = andon.store.clock.now();
  const operationId = newId(now);
  await tx.query(
    `insert into folder_operations (id, tenant_id, organization_id, folder_id, kind, total, created_at)
values ($1, $2, $3, $4, $5, $6, $7)`,
    [operationId, tenantId, organizationId, id, kind, jobs.length, now],
  );
  for (const { values, params } of rowBatches(jobs.map((job) => [operationId, job]))) {
    await tx.query(`insert into folder_operation_jobs (operation_id, job_id) values ${values}`, params);
  }
  return operationId;
}

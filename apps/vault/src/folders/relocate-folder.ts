import { AndonError } from "@andon/contract";
import { newId, type Tx } from "@andon/engine";
import type { Caller } from "../caller.ts";
import { change } from "../change.ts";
import { sortName } from "../names/names.ts";
import { changeName } from "../names/taken-names.ts";
import { nasPath } from "../nas/nas-path.ts";
import type { VaultParts } from "../parts.ts";
import { rowStretches } from "../sql-lists.ts";
import { queueOperations } from "../sync/enqueue.ts";
import { filesBelow } from "./files-below.ts";
import { findFolder, mustNotBeRoot, mustTakeChildren } from "./folder-row.ts";
import { lockFolders, lockSubtree } from "./locks.ts";
import { below, pathsOf } from "./paths.ts";
import type { ShownFolder } from "./shown-folder.ts";

type Kind = "RENAME" | "MOVE";

interface RelocatedFolder extends ShownFolder {
  affectedFiles: number;
  operationId: string | null;
}

/**
 * Gives a folder another name or parent. Its files keep their rows; each gets one operation that takes it to its new place
 * on the NAS. Files in the trash stay where they are.
 */
export async function relocateFolder(
  parts: VaultParts,
  caller: Caller,
  id: string,
  kind: Kind,
  to: { readonly name?: string; readonly parentId?: string },
): Promise<RelocatedFolder> {
  mustNotBeRoot(id);
  const { andon, settings } = parts;
  const { tenantId } = caller;
  return change(parts, async (tx) => {
    const known = await findFolder(tx, tenantId, id);
    if (!known) throw new AndonError("FOLDER_NOT_FOUND");
    // Both ends first, in the order of their ids: two moves towards each other then wait for one another in turn.
    await lockFolders(tx, tenantId, [id, to.parentId ?? known.parentId]);
    const subtree = await lockSubtree(tx, tenantId, id);
    const before = await findFolder(tx, tenantId, id);
    if (!before) throw new AndonError("FOLDER_NOT_FOUND");
    if (before.state !== "ACTIVE") throw new AndonError("FOLDER_ALREADY_TRASHED", { folderId: id });
    const { name, parentId } = { name: before.name, parentId: before.parentId, ...to };
    const parent = (await lockFolders(tx, tenantId, [parentId])).get(parentId);
    if (parent && subtree.has(parentId)) throw new AndonError("FOLDER_CYCLE", { folderId: id });
    mustTakeChildren(parent);
    const paths = await pathsOf(tx, tenantId, [before.parentId, parentId]);
    const from = below(paths.get(before.parentId) as string, before.name);
    const path = below(paths.get(parentId) as string, name);
    const shown = { id, name, parentId, path, state: "ACTIVE" as const };
    if (path === from) return { ...shown, affectedFiles: 0, operationId: null };
    await changeName(tx, settings, { tenantId, parentId, name, kind: "folder", ownerId: id });
    await tx.query(
      "update folders set parent_id = $2, name = $3, sort_name = $4, updated_at = $5 where id = $1",
      [id, parentId, name, sortName(name), andon.store.clock.now()],
    );
    const jobs = await queueMoves(parts, tx, caller, { id, from, path });
    const operationId = await noteOperation(parts, tx, { tenantId, id, kind, jobs });
    return { ...shown, affectedFiles: jobs.length, operationId };
  });
}

async function queueMoves(
  parts: VaultParts,
  tx: Tx,
  { tenantId, traceId }: Caller,
  folder: { id: string; from: string; path: string },
): Promise<string[]> {
  const files = await filesBelow(tx, tenantId, folder.id);
  const queued = await queueOperations(
    parts,
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

/** What the progress of the whole is told by. Without files there is nothing that could make progress. */
async function noteOperation(
  { andon }: VaultParts,
  tx: Tx,
  { tenantId, id, kind, jobs }: { tenantId: string; id: string; kind: Kind; jobs: readonly string[] },
): Promise<string | null> {
  if (jobs.length === 0) return null;
  const now = andon.store.clock.now();
  const operationId = newId(now);
  await tx.query(
    `insert into folder_operations (id, tenant_id, folder_id, kind, total, created_at)
values ($1, $2, $3, $4, $5, $6)`,
    [operationId, tenantId, id, kind, jobs.length, now],
  );
  for (const { values, params } of rowStretches(jobs.map((job) => [operationId, job]))) {
    await tx.query(`insert into folder_operation_jobs (operation_id, job_id) values ${values}`, params);
  }
  return operationId;
}

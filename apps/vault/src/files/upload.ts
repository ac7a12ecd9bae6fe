import { AndonError, isAndonError } from "@andon/contract";
import { type Call, newId, type Tx } from "@andon/engine";
import { tenantOf } from "../caller.ts";
import { findFolder, mustTakeChildren, ROOT } from "../folders/folder-row.ts";
import { lockFolders } from "../folders/locks.ts";
import { below, pathOf } from "../folders/paths.ts";
import { checkTenant, sortName } from "../names/names.ts";
import { isNameTaken, takeName } from "../names/taken-names.ts";
import { nasPath } from "../nas/nas-path.ts";
import type { VaultParts } from "../parts.ts";
import { type Queued, queueOperation } from "../sync/enqueue.ts";
import { dropBytes, type Received, readUpload } from "./read-upload.ts";

interface Uploaded extends Queued {
  fileId: string;
  name: string;
  folderId: string;
  size: number;
  sha256: string;
}

/**
 * Bytes first, then one transaction that makes them a file. Dying in between leaves bytes that no row names, which the
 * cleaning of the cache takes away.
 */
export async function upload(parts: VaultParts, call: Call): Promise<Uploaded> {
  const { andon, settings } = parts;
  const tenantId = tenantOf(call);
  checkTenant(tenantId, settings);
  // Of a repeated request the place is taken by the first one: its answer is given again.
  const isRepeatable = call.idempotencyKey !== undefined;
  const received = await readUpload({
    parts,
    call,
    mustFit: async ({ folderId, name }) => {
      if (isRepeatable) return;
      if (folderId !== ROOT) mustTakeChildren(await findFolder(andon.store, tenantId, folderId));
      if (await isNameTaken(andon.store, settings, { tenantId, parentId: folderId, name }))
        throw new AndonError("NAME_TAKEN", { name });
    },
  });
  const answer = await makeFile(parts, call, tenantId, received);
  if (answer.fileId !== received.id) await dropBytes(parts, received.cacheKey);
  return answer;
}

async function makeFile(
  parts: VaultParts,
  call: Call,
  tenantId: string,
  received: Received,
): Promise<Uploaded> {
  const { sha256, size, name, folderId } = received;
  const request = {
    route: "files.upload",
    fingerprint: JSON.stringify([sha256, size, name, folderId]),
  };
  try {
    return await parts.once(call, request, (tx) => insertFile(parts, tx, call, tenantId, received));
  } catch (error) {
    // Only a refusal is sure to have left no row: a commit whose answer was lost may have happened.
    if (isAndonError(error) && error.status < 500) await dropBytes(parts, received.cacheKey);
    throw error;
  }
}

async function insertFile(
  parts: VaultParts,
  tx: Tx,
  { principal, traceId }: Call,
  tenantId: string,
  { id, cacheKey, name, folderId, mimeType, size, sha256 }: Received,
): Promise<Uploaded> {
  const folders = await lockFolders(tx, tenantId, [folderId]);
  mustTakeChildren(folders.get(folderId));
  await takeName(tx, parts.settings, { tenantId, parentId: folderId, name, kind: "file", ownerId: id });
  const now = parts.andon.store.clock.now();
  await tx.query(
    `insert into files
  (id, tenant_id, folder_id, name, sort_name, state, size, mime_type, sha256, created_by, created_at, updated_at)
values ($1, $2, $3, $4, $5, 'ACTIVE', $6, $7, $8, $9, $10, $10)`,
    [id, tenantId, folderId, name, sortName(name), size, mimeType, sha256, principal.actor, now],
  );
  await tx.query(
    `insert into file_storage_objects (id, file_id, storage_type, availability_status, path, size, sha256, updated_at)
values ($1, $3, 'CACHE', 'AVAILABLE', $4, $5, $6, $7), ($2, $3, 'NAS', 'PENDING', null, null, null, $7)`,
    [newId(now), newId(now), id, cacheKey, size, sha256, now],
  );
  const path = below(await pathOf(tx, tenantId, folderId), name);
  const queued = await queueOperation(parts, tx, {
    file: { id, tenantId, folderId, name, size, mimeType, sha256 },
    operation: "UPLOAD",
    source: null,
    target: nasPath(tenantId, path),
    traceId,
  });
  return { fileId: id, name, folderId, size, sha256, ...queued };
}

import { AndonError, isAndonError } from "@andon/contract";
import { newId, type Tx } from "@andon/engine";
import { mustTakeChildren } from "../folders/folder-row.ts";
import { lockFolders } from "../folders/locks.ts";
import { below, pathsOf } from "../folders/paths.ts";
import { sortName } from "../names/names.ts";
import { takeNames } from "../names/taken-names.ts";
import { nasPath } from "../nas/nas-path.ts";
import type { VaultParts } from "../parts.ts";
import { rowStretches } from "../sql-lists.ts";
import { type Queued, queueOperations } from "../sync/enqueue.ts";
import type { Received } from "./read-upload.ts";

/** What was received, from whom, before it is a file. */
export interface NewFile extends Received {
  readonly actor: string;
  readonly traceId: string;
}

export interface Uploaded extends Queued {
  fileId: string;
  name: string;
  folderId: string;
  size: number;
  sha256: string;
}

/**
 * Makes files of one tenant, with an upload to the NAS for each. Those that cannot be are answered with their refusal; the
 * others do not suffer from it.
 */
export async function insertFiles(
  parts: VaultParts,
  tx: Tx,
  tenantId: string,
  files: readonly NewFile[],
): Promise<(Uploaded | AndonError)[]> {
  const refusals = new Map<string, AndonError>();
  const placed = await inTheirFolders(tx, tenantId, files, refusals);
  const taken = await takeNames(
    tx,
    parts.settings,
    placed.map(({ id, folderId, name }) => ({
      tenantId,
      parentId: folderId,
      name,
      kind: "file",
      ownerId: id,
    })),
  );
  for (const { id, name } of placed)
    if (!taken.has(id)) refusals.set(id, new AndonError("NAME_TAKEN", { name }));
  const made = placed.filter(({ id }) => taken.has(id));
  // Neither needs the other's answer: on PostgreSQL they go out together.
  const [queued] = await Promise.all([
    queueUploads(parts, tx, tenantId, made),
    insertRows(tx, tenantId, made, parts.andon.store.clock.now()),
  ]);
  const answers = new Map(
    made.map(({ id, name, folderId, size, sha256 }, index) => [
      id,
      { fileId: id, name, folderId, size, sha256, ...(queued[index] as Queued) },
    ]),
  );
  return files.map(({ id }) => answers.get(id) ?? (refusals.get(id) as AndonError));
}

/** Locks the folders, and leaves those out whose folder takes nothing. */
async function inTheirFolders(
  tx: Tx,
  tenantId: string,
  files: readonly NewFile[],
  refusals: Map<string, AndonError>,
): Promise<NewFile[]> {
  const folders = await lockFolders(
    tx,
    tenantId,
    files.map(({ folderId }) => folderId),
  );
  return files.filter(({ id, folderId }) => {
    try {
      mustTakeChildren(folders.get(folderId));
      return true;
    } catch (error) {
      if (!isAndonError(error)) throw error;
      refusals.set(id, error);
      return false;
    }
  });
}

async function insertRows(tx: Tx, tenantId: string, files: readonly NewFile[], now: number): Promise<void> {
  const rows = files.map(({ id, folderId, name, size, mimeType, sha256, actor }) => [
    ...[id, tenantId, folderId, name, sortName(name), "ACTIVE"],
    ...[size, mimeType, sha256, actor, now, now],
  ]);
  const objects = files.flatMap(({ id, cacheKey, size, sha256 }) => [
    [newId(now), id, "CACHE", "AVAILABLE", cacheKey, size, sha256, now],
    [newId(now), id, "NAS", "PENDING", null, null, null, now],
  ]);
  await Promise.all([
    ...[...rowStretches(rows)].map(({ values, params }) =>
      tx.query(
        `insert into files
  (id, tenant_id, folder_id, name, sort_name, state, size, mime_type, sha256, created_by, created_at, updated_at)
values ${values}`,
        params,
      ),
    ),
    ...[...rowStretches(objects)].map(({ values, params }) =>
      tx.query(
        `insert into file_storage_objects (id, file_id, storage_type, availability_status, path, size, sha256, updated_at)
values ${values}`,
        params,
      ),
    ),
  ]);
}

async function queueUploads(
  parts: VaultParts,
  tx: Tx,
  tenantId: string,
  files: readonly NewFile[],
): Promise<Queued[]> {
  if (files.length === 0) return [];
  const paths = await pathsOf(
    tx,
    tenantId,
    files.map(({ folderId }) => folderId),
  );
  return queueOperations(
    parts,
    tx,
    files.map(({ id, folderId, name, size, mimeType, sha256, traceId }) => ({
      file: { id, tenantId, folderId, name, size, mimeType, sha256 },
      operation: "UPLOAD" as const,
      source: null,
      target: nasPath(tenantId, below(paths.get(folderId) ?? "/", name)),
      traceId,
      isFirst: true as const,
    })),
  );
}

import { type AndonError, isAndonError } from "@andon/contract";
import { newId, type Tx } from "@andon/engine";
import { VaultError } from "../contract/errors.ts";
import { mustBeOpenTo, mustTakeChildren } from "../folders/folder-row.ts";
import { lockFolders } from "../folders/locks.ts";
import { mustFitPath } from "../folders/path-limits.ts";
import { below, pathsOf } from "../folders/paths.ts";
import { sortName } from "../names/names.ts";
import { takeNames } from "../names/taken-names.ts";
import { nasPath } from "../nas/nas-path.ts";
import { rowBatches } from "../sql-lists.ts";
import { type Queued, queueOperations } from "../sync/enqueue.ts";
import type { VaultContext } from "../vault-context.ts";
import type { Received } from "./read-upload.ts";
import { announced } from "./vault-bucket.ts";

/** A received upload and its sender, before it is a file. */
export interface NewFile extends Received {
  readonly actor: string;
  /** The organisation of the sender; null: the file gets the organisation of its folder. */
  readonly organizationId: string | null;
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
 * Creates files of one tenant, with an upload to the NAS for each. A file that is refused is answered with its error;
 * the others are not affected.
 */
export async function insertFiles(
  vault: VaultContext,
  tx: Tx,
  tenantId: string,
  files: readonly NewFile[],
): Promise<(Uploaded | AndonError)[]> {
  const refusals = new Map<string, AndonError>();
  const { placed, paths } = await inTheirFolders(tx, tenantId, files, refusals);
  const taken = await takeNames(
    tx,
    vault.settings,
    placed.map(({ id, folderId, name }) => ({
      tenantId,
      parentId: folderId,
      name,
      kind: "file",
      ownerId: id,
    })),
  );
  for (const { id, name } of placed)
    if (!taken.has(id)) refusals.set(id, new VaultError("NAME_TAKEN", { name }));
  const made = placed.filter(({ id }) => taken.has(id));
  // The two do not depend on each other, so PostgreSQL gets them together.
  const [queued] = await Promise.all([
    queueUploads(vault, tx, tenantId, made, paths),
    insertRows(tx, tenantId, made, vault.andon.store.clock.now()),
  ]);
  await vault.announce(
    "object.created",
    made.map((file) => announced(tenantId, file)),
    tx,
  );
  const answers = new Map(
    made.map(({ id, name, folderId, size, sha256 }, index) => [
      id,
      { fileId: id, name, folderId, size, sha256, ...(queued[index] as Queued) },
    ]),
  );
  return files.map(({ id }) => answers.get(id) ?? (refusals.get(id) as AndonError));
}

/**
 * Locks the folders, and leaves out files whose folder accepts no files or none of their organisation, or whose path
 * would be too long. `paths` are the paths of the folders.
 */
async function inTheirFolders(
  tx: Tx,
  tenantId: string,
  files: readonly NewFile[],
  refusals: Map<string, AndonError>,
): Promise<{ placed: NewFile[]; paths: ReadonlyMap<string, string> }> {
  const ids = files.map(({ folderId }) => folderId);
  const folders = await lockFolders(tx, tenantId, ids);
  const paths = await pathsOf(tx, tenantId, ids);
  const placed = files.flatMap((file) => {
    try {
      const folder = folders.get(file.folderId);
      mustBeOpenTo(folder, file.organizationId);
      mustTakeChildren(folder);
      mustFitPath(below(paths.get(file.folderId) ?? "/", file.name), "file");
      return [{ ...file, organizationId: file.organizationId ?? folder.organizationId }];
    } catch (error) {
      if (!isAndonError(error)) throw error;
      refusals.set(file.id, error);
      return [];
    }
  });
  return { placed, paths };
}

async function insertRows(tx: Tx, tenantId: string, files: readonly NewFile[], now: number): Promise<void> {
  const rows = files.map(({ id, organizationId, folderId, name, size, mimeType, sha256, actor }) => [
    ...[id, tenantId, organizationId, folderId, name, sortName(name), "ACTIVE"],
    ...[size, mimeType, sha256, actor, now, now],
  ]);
  const objects = files.flatMap(({ id, cacheKey, size, sha256 }) => [
    [newId(now), id, "CACHE", "AVAILABLE", cacheKey, size, sha256, now],
    [newId(now), id, "NAS", "PENDING", null, null, null, now],
  ]);
  await Promise.all([
    ...[...rowBatches(rows)].map(({ values, params }) =>
      tx.query(
        `insert into files
  (id, tenant_id, organization_id, folder_id, name, sort_name, state, size, mime_type, sha256, created_by, created_at, updated_at)
values ${values}`,
        params,
      ),
    ),
    ...[...rowBatches(objects)].map(({ values, params }) =>
      tx.query(
        `insert into file_storage_objects (id, file_id, storage_type, availability_status, path, size, sha256, updated_at)
values ${values}`,
        params,
      ),
    ),
  ]);
}

async function queueUploads(
  vault: VaultContext,
  tx: Tx,
  tenantId: string,
  files: readonly NewFile[],
  paths: ReadonlyMap<string, string>,
): Promise<Queued[]> {
  if (files.length === 0) return [];
  return queueOperations(
    vault,
    tx,
    files.map(({ id, organizationId, folderId, name, size, mimeType, sha256, traceId }) => ({
      file: { id, tenantId, organizationId, folderId, name, size, mimeType, sha256 },
      operation: "UPLOAD" as const,
      source: null,
      target: nasPath(tenantId, below(paths.get(folderId) ?? "/", name)),
      traceId,
      isFirst: true as const,
    })),
  );
}

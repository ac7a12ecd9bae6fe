import { iso } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { below, pathsOf } from "../folders/paths.ts";
import { inList } from "../sql-lists.ts";
import type { File } from "./file-row.ts";

const STORAGE_ORDER = ["CACHE", "NAS"] as const;
export type StorageType = (typeof STORAGE_ORDER)[number];
export type Availability = "AVAILABLE" | "PENDING" | "ERROR" | "ABSENT";

export interface FileEntry {
  id: string;
  name: string;
  folderId: string;
  path: string;
  state: "ACTIVE" | "TRASHED";
  size: number;
  mimeType: string;
  sha256: string;
  createdAt: string;
  updatedAt: string;
  storage: { type: StorageType; availabilityStatus: Availability }[];
}

/** Files in the format of the API, with a few statements for all of them together. */
export async function fileEntries(
  rows: Pick<Tx, "query">,
  tenantId: string,
  files: readonly File[],
): Promise<FileEntry[]> {
  if (files.length === 0) return [];
  const ids = files.map(({ id }) => id);
  const paths = await pathsOf(
    rows,
    tenantId,
    files.filter(({ state }) => state === "ACTIVE").map(({ folderId }) => folderId),
  );
  const isAnyTrashed = files.some(({ state }) => state === "TRASHED");
  const trashed = isAnyTrashed ? await originalPaths(rows, tenantId, ids) : new Map<string, string>();
  const storages = await storagesOf(rows, ids);
  return files.map((file) => ({
    id: file.id,
    name: file.name,
    folderId: file.folderId,
    path: trashed.get(file.id) ?? below(paths.get(file.folderId) ?? "/", file.name),
    state: file.state as "ACTIVE" | "TRASHED",
    size: file.size,
    mimeType: file.mimeType,
    sha256: file.sha256,
    createdAt: iso(file.createdAt),
    updatedAt: iso(file.updatedAt),
    storage: STORAGE_ORDER.map((type) => ({
      type,
      availabilityStatus: storages.get(`${type}:${file.id}`) ?? "ABSENT",
    })),
  }));
}

/** A file in the trash is shown with its original path. */
async function originalPaths(
  rows: Pick<Tx, "query">,
  tenantId: string,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const { list, params } = inList(ids, 1);
  const found = await rows.query<{ id: string; path: string }>(
    `select item_id as id, original_path as path from trash_metadata
where tenant_id = $1 and item_id in (${list})`,
    [tenantId, ...params],
  );
  return new Map(found.map(({ id, path }) => [id, path]));
}

async function storagesOf(
  rows: Pick<Tx, "query">,
  ids: readonly string[],
): Promise<Map<string, Availability>> {
  const { list, params } = inList(ids, 0);
  const found = await rows.query<{ id: string; type: StorageType; status: Availability }>(
    `select file_id as id, storage_type as type, availability_status as status
from file_storage_objects where file_id in (${list})`,
    params,
  );
  return new Map(found.map(({ id, type, status }) => [`${type}:${id}`, status]));
}

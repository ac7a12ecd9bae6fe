import type { Andon, Store } from "@andon/engine";
import {
  type BoundedCount,
  countAll,
  countRows,
  type Listing,
  type PageRequest,
  pageOf,
  rowsOf,
} from "../bounded-list.ts";
import { VaultError } from "../contract/errors.ts";
import { fileEntries } from "../files/entries.ts";
import type { File } from "../files/file-row.ts";
import { filesIn } from "../files/list-files.ts";
import { queueStatusOf } from "../files/queue-status.ts";
import { type Owner, ofOrganization } from "../owner.ts";
import { findInTrash } from "../trash/trash-row.ts";
import { FOLDER_COLUMNS, type Folder, type FolderState, findFolder, ROOT } from "./folder-row.ts";
import { below, pathOf } from "./paths.ts";

/** A folder in the format of the API. */
export interface ShownFolder {
  id: string;
  name: string;
  parentId: string | null;
  path: string;
  state: FolderState;
}

const SHOWN_ROOT: ShownFolder = { id: ROOT, name: "", parentId: null, path: "/", state: "ACTIVE" };

export interface ChildrenRequest extends PageRequest {
  readonly text?: string | undefined;
}

/** A folder with a page of its entries: folders first, then files, each by name. */
export async function showFolder(andon: Andon, owner: Owner, id: string, request: ChildrenRequest) {
  const { store } = andon;
  const folder = await shownFolder(store, owner, id);
  const folders = foldersIn(owner, id, request.text);
  const files = filesIn(owner, id, request.text);
  const folderCount = await countRows(store, folders);
  const fileCount = await countRows(store, files);
  const offset = (request.page - 1) * request.limit;
  const shownFolders = await rowsOf<Folder>(store, folders, { offset, limit: request.limit });
  const shownFiles = await rowsOf<File>(store, files, {
    offset: shownFolders.length > 0 ? 0 : Math.max(0, offset - (await allOf(store, folders, folderCount))),
    limit: request.limit - shownFolders.length,
  });
  const statusOf = await queueStatusOf(andon, shownFiles);
  const items = [
    ...shownFolders.map((child) => ({ kind: "folder" as const, ...shownBelow(folder.path, child) })),
    ...(await fileEntries(store, owner.tenantId, shownFiles)).map((file) => ({
      kind: "file" as const,
      ...file,
      queueStatus: statusOf(file.id),
    })),
  ];
  const counted = {
    total: folderCount.total + fileCount.total,
    isMore: folderCount.isMore || fileCount.isMore,
  };
  return { ...folder, children: pageOf(request, counted, items) };
}

/** The exact count: with a count that stopped early, a page beyond the folders would skip files. */
async function allOf(store: Store, listing: Listing, { total, isMore }: BoundedCount): Promise<number> {
  return isMore ? countAll(store, listing) : total;
}

async function shownFolder(store: Store, owner: Owner, id: string): Promise<ShownFolder> {
  if (id === ROOT) return SHOWN_ROOT;
  const { tenantId } = owner;
  const folder = await findFolder(store, owner, id);
  if (!folder) throw new VaultError("FOLDER_NOT_FOUND");
  const { name, parentId, state } = folder;
  const trashed = state === "TRASHED" ? await findInTrash(store, tenantId, id) : undefined;
  const path = trashed?.originalPath ?? (await pathOf(store, tenantId, id));
  return { id, name, parentId, path, state };
}

function shownBelow(path: string, { id, name, parentId, state }: Folder): ShownFolder {
  return { id, name, parentId, path: below(path, name), state };
}

function foldersIn(owner: Owner, parentId: string, text: string | undefined): Listing {
  const own = ofOrganization(owner, [owner.tenantId, parentId]);
  return {
    candidates: `select ${FOLDER_COLUMNS}, sort_name as "sortName" from folders
where tenant_id = $1 and parent_id = $2 and state in ('ACTIVE', 'TRASHING')${own.sql}`,
    params: own.params,
    order: '"sortName", id',
    text,
  };
}

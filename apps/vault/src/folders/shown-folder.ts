import { AndonError } from "@andon/contract";
import type { Store } from "@andon/engine";
import {
  type BoundedCount,
  countAll,
  countRows,
  type Listing,
  type PageWish,
  pageOf,
  rowsOf,
} from "../bounded-list.ts";
import { fileEntries } from "../files/entries.ts";
import type { File } from "../files/file-row.ts";
import { filesIn } from "../files/list-files.ts";
import { queueStatusOf } from "../files/queue-status.ts";
import { findInTrash } from "../trash/trash-row.ts";
import { FOLDER_COLUMNS, type Folder, type FolderState, findFolder, ROOT } from "./folder-row.ts";
import { below, pathOf } from "./paths.ts";

/** A folder as the API shows it. */
export interface ShownFolder {
  id: string;
  name: string;
  parentId: string | null;
  path: string;
  state: FolderState;
}

const SHOWN_ROOT: ShownFolder = { id: ROOT, name: "", parentId: null, path: "/", state: "ACTIVE" };

export interface ChildrenWish extends PageWish {
  readonly text?: string | undefined;
}

/** A folder with a page of what is in it: folders first, then files, each by name. */
export async function showFolder(store: Store, tenantId: string, id: string, wish: ChildrenWish) {
  const folder = await shownFolder(store, tenantId, id);
  const folders = foldersIn(tenantId, id, wish.text);
  const files = filesIn(tenantId, id, wish.text);
  const folderCount = await countRows(store, folders);
  const fileCount = await countRows(store, files);
  const offset = (wish.page - 1) * wish.limit;
  const shownFolders = await rowsOf<Folder>(store, folders, { offset, limit: wish.limit });
  const shownFiles = await rowsOf<File>(store, files, {
    offset: shownFolders.length > 0 ? 0 : Math.max(0, offset - (await allOf(store, folders, folderCount))),
    limit: wish.limit - shownFolders.length,
  });
  const statusOf = await queueStatusOf(
    store,
    shownFiles.map((file) => file.id),
  );
  const items = [
    ...shownFolders.map((child) => ({ kind: "folder" as const, ...shownBelow(folder.path, child) })),
    ...(await fileEntries(store, tenantId, shownFiles)).map((file) => ({
      kind: "file" as const,
      ...file,
      queueStatus: statusOf(file.id),
    })),
  ];
  const counted = {
    total: folderCount.total + fileCount.total,
    isMore: folderCount.isMore || fileCount.isMore,
  };
  return { ...folder, children: pageOf(wish, counted, items) };
}

/** A count that stopped early would leave out files where the page is beyond the folders. */
async function allOf(store: Store, listing: Listing, { total, isMore }: BoundedCount): Promise<number> {
  return isMore ? countAll(store, listing) : total;
}

async function shownFolder(store: Store, tenantId: string, id: string): Promise<ShownFolder> {
  if (id === ROOT) return SHOWN_ROOT;
  const folder = await findFolder(store, tenantId, id);
  if (!folder) throw new AndonError("FOLDER_NOT_FOUND");
  const { name, parentId, state } = folder;
  const trashed = state === "TRASHED" ? await findInTrash(store, tenantId, id) : undefined;
  const path = trashed?.originalPath ?? (await pathOf(store, tenantId, id));
  return { id, name, parentId, path, state };
}

function shownBelow(path: string, { id, name, parentId, state }: Folder): ShownFolder {
  return { id, name, parentId, path: below(path, name), state };
}

function foldersIn(tenantId: string, parentId: string, text: string | undefined): Listing {
  return {
    candidates: `select ${FOLDER_COLUMNS}, sort_name as "sortName" from folders
where tenant_id = $1 and parent_id = $2 and state in ('ACTIVE', 'TRASHING')`,
    params: [tenantId, parentId],
    order: '"sortName", id',
    text,
  };
}

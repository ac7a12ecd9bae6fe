import { AndonError } from "@andon/contract";
import type { Tx } from "@andon/engine";

/** Every tenant has one; it has no row and nothing about it ever changes. */
export const ROOT = "root";

export type FolderState = "ACTIVE" | "TRASHING" | "TRASHED";

export interface Folder {
  readonly id: string;
  readonly tenantId: string;
  readonly parentId: string;
  readonly name: string;
  readonly state: FolderState;
  readonly updatedAt: number;
}

export const FOLDER_COLUMNS =
  'id, tenant_id as "tenantId", parent_id as "parentId", name, state, updated_at as "updatedAt"';

export async function findFolder(
  rows: Pick<Tx, "query">,
  tenantId: string,
  id: string,
): Promise<Folder | undefined> {
  const [found] = await rows.query<Folder>(
    `select ${FOLDER_COLUMNS} from folders where tenant_id = $1 and id = $2`,
    [tenantId, id],
  );
  return found;
}

/** Whether something may come into this folder. */
export function mustTakeChildren(folder: Folder | undefined): asserts folder is Folder {
  if (!folder) throw new AndonError("FOLDER_NOT_FOUND");
  if (folder.state !== "ACTIVE") throw new AndonError("PARENT_TRASHED", { folderId: folder.id });
}

export function mustNotBeRoot(id: string): void {
  if (id === ROOT) throw new AndonError("ROOT_FOLDER");
}

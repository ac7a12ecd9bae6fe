import type { Tx } from "@andon/engine";
import { VaultError } from "../contract/errors.ts";
import { type Owner, ofOrganization } from "../owner.ts";

/** The id of every tenant's root folder, which has no row and never changes. */
export const ROOT = "root";

export type FolderState = "ACTIVE" | "TRASHING" | "TRASHED";

export interface Folder {
  readonly id: string;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly parentId: string;
  readonly name: string;
  readonly state: FolderState;
  readonly updatedAt: number;
}

export const FOLDER_COLUMNS =
  'id, tenant_id as "tenantId", organization_id as "organizationId", parent_id as "parentId", name, state, updated_at as "updatedAt"';

export async function findFolder(
  rows: Pick<Tx, "query">,
  owner: Owner,
  id: string,
): Promise<Folder | undefined> {
  const own = ofOrganization(owner, [owner.tenantId, id]);
  const [found] = await rows.query<Folder>(
    `select ${FOLDER_COLUMNS} from folders where tenant_id = $1 and id = $2${own.sql}`,
    own.params,
  );
  return found;
}

/** Throws unless items can be added to this folder. */
export function mustTakeChildren(folder: Folder | undefined): asserts folder is Folder {
  if (!folder) throw new VaultError("FOLDER_NOT_FOUND");
  if (folder.state !== "ACTIVE") throw new VaultError("PARENT_TRASHED", { folderId: folder.id });
}

/**
 * Throws unless an organisation may add items to this folder: to its own folders and the root. Any other folder is
 * reported as not found.
 */
export function mustBeOpenTo(folder: Folder | undefined, organizationId: string | null): void {
  if (organizationId === null || folder?.id === ROOT) return;
  if (folder?.organizationId !== organizationId) throw new VaultError("FOLDER_NOT_FOUND");
}

export function mustNotBeRoot(id: string): void {
  if (id === ROOT) throw new VaultError("ROOT_FOLDER");
}

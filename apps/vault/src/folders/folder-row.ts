import type { Tx } from "@andon/engine";
import { VaultError } from "../contract/errors.ts";
import { type Owner, ofOrganization } from "../owner.ts";

/** Every tenant has one; it has no row and nothing about it ever changes. */
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

/** Whether something may come into this folder. */
export function mustTakeChildren(folder: Folder | undefined): asserts folder is Folder {
  if (!folder) throw new VaultError("FOLDER_NOT_FOUND");
  if (folder.state !== "ACTIVE") throw new VaultError("PARENT_TRASHED", { folderId: folder.id });
}

/** Whether an organisation may put something into this folder: into its own ones and the root, and of others it hears nothing. */
export function mustBeOpenTo(folder: Folder | undefined, organizationId: string | null): void {
  if (organizationId === null || folder?.id === ROOT) return;
  if (folder?.organizationId !== organizationId) throw new VaultError("FOLDER_NOT_FOUND");
}

export function mustNotBeRoot(id: string): void {
  if (id === ROOT) throw new VaultError("ROOT_FOLDER");
}

import type { Localized } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { VaultError } from "../contract/errors.ts";
import { type Owner, ofOrganization } from "../owner.ts";

/** `DELETED`: visible only to its last operation. */
type FileState = "ACTIVE" | "TRASHED" | "DELETED";

export interface File {
  readonly id: string;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly folderId: string;
  readonly name: string;
  readonly state: FileState;
  readonly size: number;
  readonly mimeType: string;
  readonly sha256: string;
  readonly createdAt: number;
  readonly updatedAt: number;
}

export const FILE_COLUMNS = `id, tenant_id as "tenantId", organization_id as "organizationId", folder_id as "folderId", name, state, size,
mime_type as "mimeType", sha256, created_at as "createdAt", updated_at as "updatedAt"`;

export async function findFile(rows: Pick<Tx, "query">, owner: Owner, id: string): Promise<File> {
  const own = ofOrganization(owner, [owner.tenantId, id]);
  const [found] = await rows.query<File>(
    `select ${FILE_COLUMNS} from files where tenant_id = $1 and id = $2 and state <> 'DELETED'${own.sql}`,
    own.params,
  );
  if (!found) throw new VaultError("FILE_NOT_FOUND");
  return found;
}

/** Locks a file for a change: of two concurrent requests, the later one sees the result of the earlier one. */
export async function lockFile(tx: Tx, owner: Owner, id: string): Promise<File> {
  const own = ofOrganization(owner, [owner.tenantId, id]);
  const [found] = await tx.query<File>(
    `update files set updated_at = updated_at where tenant_id = $1 and id = $2 and state <> 'DELETED'${own.sql}
returning ${FILE_COLUMNS}`,
    own.params,
  );
  if (!found) throw new VaultError("FILE_NOT_FOUND");
  return found;
}

const RESTORE_FIRST: Localized = { en: "restore it first", ko: "먼저 복원하세요" };

export function mustNotBeTrashed(file: File, hint = RESTORE_FIRST): void {
  if (file.state === "TRASHED") throw new VaultError("FILE_TRASHED", { hint });
}

export function mustBeTrashed(state: string): void {
  if (state !== "TRASHED") throw new VaultError("NOT_TRASHED");
}

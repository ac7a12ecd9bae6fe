import type { AndonError } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { isStorageError } from "@andon/storage";
import { VaultError } from "../contract/errors.ts";
import { VAULT_QUEUE, type VaultContext } from "../vault-context.ts";
import type { Folder } from "./folder-row.ts";

/**
 * A folder is trashed and restored in three steps: a transaction sets TRASHING, so that nothing is added to it; the NAS is called,
 * with no transaction open; a transaction ends TRASHING, or undoes the first one. The first transaction also adds a delayed job,
 * which checks the NAS and settles the folder if the process died in between.
 */
export const SETTLE_JOB = "settle-folder";

/** One NAS request of a folder: `stamp` is the time at which the folder became TRASHING. */
export interface Settlement {
  readonly tenantId: string;
  readonly folderId: string;
  readonly stamp: number;
}

/** The settling starts later than the timeout of the NAS call, so that the two do not overlap. */
const NAS_LIMIT_MS = 30_000;
const SETTLE_AFTER_MS = 60_000;

export async function beginNasRequest(vault: VaultContext, tx: Tx, folder: Folder): Promise<Settlement> {
  const { id: folderId, tenantId, organizationId } = folder;
  const stamp = vault.andon.store.clock.now();
  await tx.query("update folders set state = 'TRASHING', updated_at = $2 where id = $1", [folderId, stamp]);
  const settlement: Settlement = { tenantId, folderId, stamp };
  await vault.queue(VAULT_QUEUE).add(settlement, {
    tx,
    name: SETTLE_JOB,
    key: `folder:${folderId}`,
    tenant: tenantId,
    organization: organizationId ?? undefined,
    delay: SETTLE_AFTER_MS,
  });
  return settlement;
}

/** Ends TRASHING; false if the folder was settled meanwhile. */
export async function endNasRequest(
  tx: Tx,
  { tenantId, folderId, stamp }: Settlement,
  end: { state: "ACTIVE" | "TRASHED"; now: number; deletedAt: number | null },
): Promise<boolean> {
  const [ended] = await tx.query(
    `update folders set state = $4, updated_at = $5, deleted_at = $6
where tenant_id = $1 and id = $2 and state = 'TRASHING' and updated_at = $3 returning id`,
    [tenantId, folderId, stamp, end.state, end.now, end.deletedAt],
  );
  return ended !== undefined;
}

/** Calls the NAS with a timeout; every failure becomes NAS_SYNC_FAILED. */
export async function callNas(folder: Folder, ask: () => Promise<unknown>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the NAS did not answer in time")), NAS_LIMIT_MS);
  });
  try {
    await Promise.race([ask(), late]);
  } catch (error) {
    const problem = isStorageError(error) ? error.code : "TIMED_OUT";
    throw nasFailed(folder, { problem, cause: error });
  } finally {
    clearTimeout(timer);
  }
}

export function nasFailed(
  folder: Folder,
  { problem, cause }: { problem: string; cause?: unknown },
): AndonError {
  const details = { folderId: folder.id, folderName: folder.name, problem };
  return new VaultError("NAS_SYNC_FAILED", details, { cause });
}

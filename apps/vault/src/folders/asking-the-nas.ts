import { AndonError } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { isStorageError } from "@andon/storage";
import { VAULT_QUEUE, type VaultParts } from "../parts.ts";
import type { Folder } from "./folder-row.ts";

/**
 * A folder goes to the trash and comes back in three steps: a transaction that makes it TRASHING, so that nothing comes
 * into it; the question to the NAS, with no transaction open; a transaction that ends it, or takes the first one back. The
 * first one also leaves a job for later, which looks at the NAS and settles the folder if the process died in between.
 */
export const SETTLE_JOB = "settle-folder";

/** Which attempt to settle: `stamp` is the time at which the folder became TRASHING. */
export interface Settlement {
  readonly tenantId: string;
  readonly folderId: string;
  readonly stamp: number;
}

/** The settling waits longer than the NAS is given to answer, so that the two do not meet. */
const NAS_LIMIT_MS = 30_000;
const SETTLE_AFTER_MS = 60_000;

export async function beginAsking(parts: VaultParts, tx: Tx, folder: Folder): Promise<Settlement> {
  const { id: folderId, tenantId } = folder;
  const stamp = parts.andon.store.clock.now();
  await tx.query("update folders set state = 'TRASHING', updated_at = $2 where id = $1", [folderId, stamp]);
  const settlement: Settlement = { tenantId, folderId, stamp };
  await parts.queue(VAULT_QUEUE).add(settlement, {
    tx,
    name: SETTLE_JOB,
    key: `folder:${folderId}`,
    tenant: tenantId,
    delay: SETTLE_AFTER_MS,
  });
  return settlement;
}

/** Ends TRASHING if nobody else has: false where the folder was settled meanwhile. */
export async function endAsking(
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

/** Asks the NAS, with an end to the waiting; whatever goes wrong is the one error that a caller sees. */
export async function askNas(folder: Folder, ask: () => Promise<unknown>): Promise<void> {
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
  return new AndonError("NAS_SYNC_FAILED", details, { cause });
}

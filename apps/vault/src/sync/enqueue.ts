import type { Andon, Tx } from "@andon/engine";
import type { SyncOperation } from "../contract/routes.ts";
import { pathKey } from "../names/path-key.ts";
import { rowBatches } from "../sql-lists.ts";
import { SYNC_QUEUE, type VaultContext } from "../vault-context.ts";
import { fileLane, fileOfLane, lanesOf, type SyncPayload } from "./sync-job.ts";

/** The file of an operation, after the change. */
export interface SyncFile {
  readonly id: string;
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly folderId: string;
  readonly name: string;
  readonly size: number;
  readonly mimeType: string;
  readonly sha256: string;
}

export interface NewOperation {
  readonly file: SyncFile;
  readonly operation: SyncOperation;
  /** Paths on the NAS; see SyncPayload. */
  readonly source: string | null;
  readonly target: string | null;
  readonly traceId?: string | undefined;
  /** See SyncPayload. */
  readonly replaces?: true;
  /** The file is new, so this is its first operation. */
  readonly isFirst?: true;
}

export interface Queued {
  readonly syncQueueId: string;
  readonly queuePosition: number;
}

/** Queues one operation in the transaction that changes its file. */
export async function queueOperation(vault: VaultContext, tx: Tx, operation: NewOperation): Promise<Queued> {
  const [queued] = await queueOperations(vault, tx, [operation]);
  return queued as Queued;
}

/** Queues operations in this order, and records them as operations of their files. */
export async function queueOperations(
  vault: VaultContext,
  tx: Tx,
  operations: readonly NewOperation[],
): Promise<Queued[]> {
  const payloads = operations.map(payloadOf);
  const added = await vault.queue(SYNC_QUEUE).addMany(
    payloads,
    (payload, index) => ({
      keys: lanesOf(payload as SyncPayload, (path) => pathKey(path, vault.settings)),
      name: (operations[index] as NewOperation).operation,
      tenant: (payload as SyncPayload).tenantId,
      organization: operations[index]?.file.organizationId ?? undefined,
      traceId: operations[index]?.traceId,
    }),
    { tx },
  );
  const now = vault.andon.store.clock.now();
  const rows = added.map(({ id }, index) => [payloads[index]?.fileId, id, now]);
  for (const { values, params } of rowBatches(rows)) {
    await tx.query(`insert into vault_operations (file_id, job_id, created_at) values ${values}`, params);
  }
  const depths = await depthsOf(
    vault.andon,
    tx,
    operations.filter(({ isFirst }) => !isFirst).map(({ file }) => file),
  );
  return added.map(({ id }, index) => ({
    syncQueueId: id,
    queuePosition: depths.get(payloads[index]?.fileId ?? "") ?? 1,
  }));
}

/** Unfinished operations of each file. */
async function depthsOf(
  { reading }: Andon,
  tx: Tx,
  files: readonly SyncFile[],
): Promise<ReadonlyMap<string, number>> {
  const lanes = await reading.lanes(
    SYNC_QUEUE,
    files.map(({ id, tenantId }) => ({ tenant: tenantId, key: fileLane(id) })),
    { tx },
  );
  return new Map(lanes.map(({ key, depth }) => [fileOfLane(key), depth]));
}

function payloadOf({ file, source, target, replaces }: NewOperation): SyncPayload {
  return {
    fileId: file.id,
    folderId: file.folderId,
    tenantId: file.tenantId,
    sourcePath: source,
    targetPath: target,
    fileName: file.name,
    size: file.size,
    mimeType: file.mimeType,
    sha256: file.sha256,
    ...(replaces ? { replaces } : {}),
  };
}

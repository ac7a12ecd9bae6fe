import type { SyncOperation } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { pathKey } from "../names/path-key.ts";
import { SYNC_QUEUE, type VaultParts } from "../parts.ts";
import { inList, rowStretches } from "../sql-lists.ts";
import { lanesOf, type SyncPayload } from "./payload.ts";

/** The file that an operation is about, as it is after the change. */
export interface SyncFile {
  readonly id: string;
  readonly tenantId: string;
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
  /** Of a file that is new: nothing can be before it. */
  readonly isFirst?: true;
}

export interface Queued {
  readonly syncQueueId: string;
  readonly queuePosition: number;
}

/** Queues one operation in the transaction that changes its file. */
export async function queueOperation(parts: VaultParts, tx: Tx, operation: NewOperation): Promise<Queued> {
  const [queued] = await queueOperations(parts, tx, [operation]);
  return queued as Queued;
}

/** Queues operations in this order, and keeps which ones each file has had. */
export async function queueOperations(
  parts: VaultParts,
  tx: Tx,
  operations: readonly NewOperation[],
): Promise<Queued[]> {
  const payloads = operations.map(payloadOf);
  const added = await parts.queue(SYNC_QUEUE).addMany(
    payloads,
    (payload, index) => ({
      keys: lanesOf(payload as SyncPayload, (path) => pathKey(path, parts.settings)),
      name: (operations[index] as NewOperation).operation,
      tenant: (payload as SyncPayload).tenantId,
      traceId: operations[index]?.traceId,
    }),
    { tx },
  );
  const now = parts.andon.store.clock.now();
  const rows = added.map(({ id }, index) => [payloads[index]?.fileId, id, now]);
  for (const { values, params } of rowStretches(rows)) {
    await tx.query(`insert into vault_operations (file_id, job_id, created_at) values ${values}`, params);
  }
  const depths = await depthsOf(
    tx,
    operations.filter(({ isFirst }) => !isFirst).map(({ file }) => file.id),
  );
  return added.map(({ id }, index) => ({
    syncQueueId: id,
    queuePosition: depths.get(payloads[index]?.fileId ?? "") ?? 1,
  }));
}

const MOST_LOOKED_UP = 512;

/** Unfinished operations of each file. */
async function depthsOf(tx: Tx, fileIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const depths = new Map<string, number>();
  for (let at = 0; at < fileIds.length; at += MOST_LOOKED_UP) {
    const { list, params } = inList(
      fileIds.slice(at, at + MOST_LOOKED_UP).map((id) => `file:${id}`),
      1,
    );
    const lanes = await tx.query<{ lane_key: string; depth: number }>(
      `select lane_key, depth from andon_lanes where queue = $1 and lane_key in (${list})`,
      [SYNC_QUEUE, ...params],
    );
    for (const { lane_key, depth } of lanes) depths.set(lane_key.slice("file:".length), depth);
  }
  return depths;
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

import type { Job } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { DROP_CACHED_JOB, type DroppedBytes } from "../cache/drop-cached.ts";
import { VAULT_QUEUE, type VaultParts } from "../parts.ts";
import { forgetFile, nasObject } from "./nas-object.ts";
import type { SyncPayload } from "./payload.ts";

/**
 * Jobs `j` of operations that a deleted file `f` still has before it. One that stands failed and holds the file is among
 * them, and so is a DELETE in any case: a person decides about it, and the bytes are the file's until then.
 */
export const UNFINISHED_OF_DELETED = `select 1 from vault_operations v join andon_jobs j on j.id = v.job_id
where v.file_id = f.id and (j.state = 'open' or j.state = 'failed'
  and (j.name = 'DELETE' or exists (select 1 from andon_lane_jobs l where l.pos = j.pos)))`;

/**
 * An operation has ended. Where its file is deleted for good and nothing is left that would take its bytes away, the
 * DELETE was given up: what is left of the file on the NAS is nobody's, and what lies in the cache goes.
 */
export async function forgetIfDeleted(
  parts: VaultParts,
  tx: Tx,
  { id, payload }: Job<SyncPayload>,
): Promise<void> {
  const { fileId, tenantId } = payload;
  const [isGivenUp] = await tx.query(
    `select 1 as one from files f where f.id = $1 and f.state = 'DELETED'
and not exists (${UNFINISHED_OF_DELETED} and j.id <> $2)`,
    [fileId, id],
  );
  if (!isGivenUp) return;
  const { cachePath } = await nasObject(tx, fileId);
  await forgetFile(tx, fileId);
  if (cachePath === null) return;
  const dropped: DroppedBytes = { path: cachePath };
  const options = { tx, name: DROP_CACHED_JOB, key: `file:${fileId}`, tenant: tenantId };
  await parts.queue(VAULT_QUEUE).add(dropped, options);
}

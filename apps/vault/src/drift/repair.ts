import type { Principal } from "@andon/contract";
import type { StoreTx, Tx } from "@andon/engine";
import { FILE_COLUMNS, type File } from "../files/file-row.ts";
import { lockFolders } from "../folders/locks.ts";
import { expectedPath } from "../nas/expected-path.ts";
import { queueOperation } from "../sync/enqueue.ts";
import { laneOfFile } from "../sync/file-operations.ts";
import { nasObject } from "../sync/storage-object.ts";
import { fileLane } from "../sync/sync-job.ts";
import { DRIFT_QUEUE, type VaultContext } from "../vault-context.ts";
import type { FetchPayload } from "./fetch-to-cache.ts";
import { FINDING_COLUMNS, type Finding, type Repair } from "./findings.ts";

const AT_ONCE = 50;
const FETCH_JOB = "fetch-to-cache";

/**
 * Queues the possible repairs of a run's findings, and returns how many findings are left for a person or a later
 * repair.
 */
export async function repairFindings(
  vault: VaultContext,
  runId: string,
  decision: { principal: Principal; reason: string | undefined; traceId: string },
): Promise<{ queued: number; left: number }> {
  const { store } = vault.andon;
  let queued = 0;
  for (let after = 0; ; ) {
    const findings = await nextRepairable(store, runId, after);
    const last = findings.at(-1);
    if (!last) break;
    after = last.seq;
    await removeTemporaries(vault, findings);
    queued += await store.transaction("drift-repair", async (tx) => {
      const files = await lockFiles(tx, findings);
      let repaired = 0;
      for (const finding of findings) {
        const file = files.get(finding.fileId ?? "");
        const by = await REPAIR[finding.repair](vault, tx, finding, file, decision.traceId);
        if (by === undefined) continue;
        await tx.query("update vault_drift_findings set repaired_by = $3 where run_id = $1 and seq = $2", [
          runId,
          finding.seq,
          by,
        ]);
        repaired++;
      }
      await record(tx, runId, decision, repaired);
      return repaired;
    });
  }
  const [left] = await store.query<{ left: number }>(
    'select count(*) as "left" from vault_drift_findings where run_id = $1 and repaired_by is null',
    [runId],
  );
  return { queued, left: left?.left ?? 0 };
}

function nextRepairable(rows: Pick<Tx, "query">, runId: string, after: number): Promise<Finding[]> {
  return rows.query<Finding>(
    `select ${FINDING_COLUMNS} from vault_drift_findings
where run_id = $1 and seq > $2 and repair <> 'NONE' and repaired_by is null order by seq limit ${AT_ONCE}`,
    [runId, after],
  );
}

/** Runs outside the transaction, because it calls the NAS. Removing a missing file is no error. */
async function removeTemporaries({ nas }: VaultContext, findings: readonly Finding[]): Promise<void> {
  for (const { repair, path } of findings) if (repair === "REMOVE_TEMPORARY") await nas.remove(path);
}

type Queue = (
  vault: VaultContext,
  tx: Tx,
  finding: Finding,
  file: File | undefined,
  traceId: string,
) => Promise<string | undefined>;

/**
 * Queues each repair. Returns what repairs the finding (the id of a job, or `removed`), or undefined if the repair must
 * wait.
 */
const REPAIR: Record<Repair, Queue> = {
  NONE: async () => undefined,
  REMOVE_TEMPORARY: async () => "removed",

  // If the file has changed since or has unfinished operations, those bring its bytes to the right place anyway.
  UPLOAD_AGAIN: async (vault, tx, { path }, file, traceId) => {
    const target = file && (await expectedPath(tx, file));
    if (!file || target !== path) return undefined;
    if (((await laneOfFile(vault.andon, file, { tx }))?.depth ?? 0) > 0) return undefined;
    const { path: source } = await nasObject(tx, file.id);
    const operation = {
      file,
      operation: "UPLOAD" as const,
      source,
      target,
      traceId,
      replaces: true as const,
    };
    return (await queueOperation(vault, tx, operation)).syncQueueId;
  },

  FETCH_TO_CACHE: async (vault, tx, _finding, file, traceId) => {
    if (!file) return undefined;
    const payload: FetchPayload = { fileId: file.id };
    const whose = { tenant: file.tenantId, organization: file.organizationId ?? undefined };
    const options = { tx, name: FETCH_JOB, key: fileLane(file.id), ...whose, traceId };
    return (await vault.queue(DRIFT_QUEUE).add(payload, options)).id;
  },
};

/**
 * Locks the files of a batch and then their folders, each in the order of their ids. Paths and lanes are read only
 * afterwards: otherwise a repair could overtake an uncommitted move of a folder above, and bring the file back to its
 * old path.
 */
async function lockFiles(tx: Tx, findings: readonly Finding[]): Promise<ReadonlyMap<string, File>> {
  const locked = new Map<string, File>();
  const folders = new Map<string, string[]>();
  for (const id of new Set(findings.flatMap(({ fileId }) => fileId ?? []).sort())) {
    const [file] = await tx.query<File>(
      `update files set updated_at = updated_at where id = $1 and state <> 'DELETED' returning ${FILE_COLUMNS}`,
      [id],
    );
    if (!file) continue;
    locked.set(id, file);
    folders.set(file.tenantId, [...(folders.get(file.tenantId) ?? []), file.folderId]);
  }
  for (const tenantId of [...folders.keys()].sort())
    await lockFolders(tx, tenantId, folders.get(tenantId) ?? []);
  return locked;
}

async function record(
  tx: StoreTx,
  runId: string,
  { principal, reason }: { principal: Principal; reason: string | undefined },
  repaired: number,
): Promise<void> {
  const target = `drift:${runId}`;
  const after = { queued: repaired };
  await tx.addAudit({
    actor: principal.actor,
    action: "drift.repair",
    target,
    reason: reason ?? null,
    before: null,
    after,
  });
}

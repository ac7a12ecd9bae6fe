import type { StepGuard } from "../step-guard.ts";
import { pruneFolders } from "../sync/clear-nas-path.ts";
import type { VaultContext } from "../vault-context.ts";

interface Quarantined {
  readonly jobId: string;
  readonly tenantId: string;
  readonly path: string;
  readonly expiresAt: number;
}

const AT_ONCE = 100;

/**
 * Deletes expired quarantined bytes from the NAS. An error of one of them does not stop the others, and is thrown at the end.
 */
export async function expireQuarantined(vault: VaultContext, guard: StepGuard): Promise<void> {
  const { store } = vault.andon;
  const now = store.clock.now();
  let last: Pick<Quarantined, "expiresAt" | "jobId"> = { expiresAt: 0, jobId: "" };
  let problem: unknown;
  for (;;) {
    const expired = await store.query<Quarantined>(
      `select job_id as "jobId", tenant_id as "tenantId", path, expires_at as "expiresAt" from vault_quarantined
where expires_at <= $1 and (expires_at > $2 or (expires_at = $2 and job_id > $3))
order by expires_at, job_id limit ${AT_ONCE}`,
      [now, last.expiresAt, last.jobId],
    );
    for (const item of expired) {
      guard();
      await expire(vault, item, guard.signal).catch((error: unknown) => {
        problem ??= error;
      });
      last = item;
    }
    if (expired.length < AT_ONCE) break;
  }
  if (problem) throw problem;
}

/**
 * Removes the bytes first: a crash in between leaves a row, which the next run removes, while bytes without a row would
 * stay for ever. No other bytes are put at this path in between, because each quarantine has its own. Missing bytes are
 * no error: a person may have taken them, or their move never happened.
 */
async function expire(
  { andon, nas }: VaultContext,
  { jobId, tenantId, path, expiresAt }: Quarantined,
  signal: AbortSignal,
): Promise<void> {
  await nas.remove(path, signal);
  await pruneFolders(nas, tenantId, path);
  await andon.store.transaction("expire-quarantined", async (tx) => {
    await tx.query("delete from vault_quarantined where job_id = $1 and expires_at = $2", [jobId, expiresAt]);
  });
}

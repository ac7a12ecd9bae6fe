import type { Pace } from "../pace.ts";
import type { VaultParts } from "../parts.ts";
import { pruneFolders } from "../sync/prune-folders.ts";

interface SetAside {
  readonly jobId: string;
  readonly tenantId: string;
  readonly path: string;
  readonly expiresAt: number;
}

const AT_ONCE = 100;

/**
 * Deletes what operations have set aside on the NAS, once its time in the trash is over. One that the NAS does not let go of
 * keeps none of the others, and is told of at the end.
 */
export async function expireSetAside(parts: VaultParts, pace: Pace): Promise<void> {
  const { store } = parts.andon;
  const now = store.clock.now();
  let last: Pick<SetAside, "expiresAt" | "jobId"> = { expiresAt: 0, jobId: "" };
  let problem: unknown;
  for (;;) {
    const expired = await store.query<SetAside>(
      `select job_id as "jobId", tenant_id as "tenantId", path, expires_at as "expiresAt" from vault_set_aside
where expires_at <= $1 and (expires_at > $2 or (expires_at = $2 and job_id > $3))
order by expires_at, job_id limit ${AT_ONCE}`,
      [now, last.expiresAt, last.jobId],
    );
    for (const item of expired) {
      pace();
      await expire(parts, item, pace.signal).catch((error: unknown) => {
        problem ??= error;
      });
      last = item;
    }
    if (expired.length < AT_ONCE) break;
  }
  if (problem) throw problem;
}

/**
 * The bytes first: a crash in between leaves a row, and the next run ends it, while bytes without a row would stay for ever.
 * Nothing else comes to this path in between, since every setting aside has its own. What is gone already is no error: a
 * person may have taken it, or its move never came to be.
 */
async function expire(
  { andon, nas }: VaultParts,
  { jobId, tenantId, path, expiresAt }: SetAside,
  signal: AbortSignal,
): Promise<void> {
  await nas.remove(path, signal);
  await pruneFolders(nas, tenantId, path);
  await andon.store.transaction("expire-set-aside", async (tx) => {
    await tx.query("delete from vault_set_aside where job_id = $1 and expires_at = $2", [jobId, expiresAt]);
  });
}

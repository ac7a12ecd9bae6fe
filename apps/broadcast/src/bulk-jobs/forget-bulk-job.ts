import type { Store, Tx } from "@andon/engine";

/** Deletes a bulk job's row together with its job in the engine. Its texts, chunks and notifications stay. */
export async function forgetBulkJob(tx: Tx, id: string): Promise<void> {
  await tx.query("delete from broadcast_jobs where id = $1", [id]);
}

const STEP = 500;

/** Deletes the rows of jobs that the engine has purged after `keep`. No list shows them. */
export async function forgetPurgedJobs(store: Store): Promise<void> {
  for (;;) {
    const gone = await store.transaction("bulk-jobs-forget", (tx) =>
      tx.query(
        `delete from broadcast_jobs where id in (
           select b.id from broadcast_jobs b where not exists (select 1 from broadcast_job_states j where j.id = b.id)
           limit ${STEP}) returning id`,
      ),
    );
    if (gone.length < STEP) return;
  }
}

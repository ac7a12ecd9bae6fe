import type { Store } from "@andon/engine";
import type { StepGuard } from "../step-guard.ts";
import type { VaultContext } from "../vault-context.ts";

interface Known {
  readonly id: string;
  readonly createdAt: number;
}

const AT_ONCE = 100;
const JOBS_AT_ONCE = 1_000;

/**
 * Deletes finished renames and moves of folders once they are older than `trashKeep`. Ids are in the order of time, so
 * the loop ends at the first one that is younger.
 */
export async function forgetOperations({ andon, settings }: VaultContext, guard: StepGuard): Promise<void> {
  const { store } = andon;
  const before = store.clock.now() - settings.trashKeep;
  for (let last = ""; ; ) {
    const known = await store.query<Known>(
      `select id, created_at as "createdAt" from folder_operations where id > $1 order by id limit ${AT_ONCE}`,
      [last],
    );
    for (const { id, createdAt } of known) {
      guard();
      if (createdAt >= before) return;
      if (await hasEnded(store, id)) await forget(store, id, guard);
      last = id;
    }
    if (known.length < AT_ONCE) return;
  }
}

/** Whether none of its jobs waits, runs or has failed; a job that has been purged ended long ago. */
async function hasEnded(store: Store, id: string): Promise<boolean> {
  const [unfinished] = await store.query(
    `select 1 as one from folder_operation_jobs j where j.operation_id = $1
and (select q.status from file_sync_queue q where q.id = j.job_id) in ('PENDING', 'PROCESSING', 'FAILED') limit 1`,
    [id],
  );
  return unfinished === undefined;
}

/**
 * Deletes the jobs first: after a crash in between, the operation still counts as ended, and the next run continues.
 */
async function forget(store: Store, id: string, guard: StepGuard): Promise<void> {
  for (let gone = JOBS_AT_ONCE; gone === JOBS_AT_ONCE; guard()) {
    const dropped = await store.transaction("forget-operation", (tx) =>
      tx.query(
        `delete from folder_operation_jobs where operation_id = $1 and job_id in (
  select job_id from folder_operation_jobs where operation_id = $1 limit ${JOBS_AT_ONCE}
) returning job_id`,
        [id],
      ),
    );
    gone = dropped.length;
  }
  await store.transaction("forget-operation", (tx) =>
    tx.query("delete from folder_operations where id = $1", [id]),
  );
}

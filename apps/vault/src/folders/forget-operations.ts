import type { Store } from "@andon/engine";
import type { Pace } from "../pace.ts";
import type { VaultParts } from "../parts.ts";

interface Known {
  readonly id: string;
  readonly createdAt: number;
}

const AT_ONCE = 100;
const JOBS_AT_ONCE = 1_000;

/**
 * Forgets renames and moves of folders that ended, once they are as old as what the trash lets go of. Ids follow time: the
 * first young one tells that there are no more old ones, however many there are.
 */
export async function forgetOperations({ andon, settings }: VaultParts, pace: Pace): Promise<void> {
  const { store } = andon;
  const before = store.clock.now() - settings.trashKeep;
  for (let last = ""; ; ) {
    const known = await store.query<Known>(
      `select id, created_at as "createdAt" from folder_operations where id > $1 order by id limit ${AT_ONCE}`,
      [last],
    );
    for (const { id, createdAt } of known) {
      pace();
      if (createdAt >= before) return;
      if (await hasEnded(store, id)) await forget(store, id, pace);
      last = id;
    }
    if (known.length < AT_ONCE) return;
  }
}

/** Whether none of its jobs is before the NAS, or before a person, any more; one that is no longer kept ended long ago. */
async function hasEnded(store: Store, id: string): Promise<boolean> {
  const [unfinished] = await store.query(
    `select 1 as one from folder_operation_jobs j join andon_jobs a on a.id = j.job_id
where j.operation_id = $1 and a.state in ('open', 'failed') limit 1`,
    [id],
  );
  return unfinished === undefined;
}

/** Its jobs first: a run that ends in between leaves an operation that has ended, and the next one goes on. */
async function forget(store: Store, id: string, pace: Pace): Promise<void> {
  for (let gone = JOBS_AT_ONCE; gone === JOBS_AT_ONCE; pace()) {
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

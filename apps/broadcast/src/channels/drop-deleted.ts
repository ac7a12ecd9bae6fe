import type { Store } from "@andon/engine";

const STEP = 1_000;

/**
 * Drops the rows of deleted channels that no unfinished audience needs. An audience that is fixed later needs none of them: its version
 * is at least that of their deletion.
 */
export async function dropDeletedChannels(store: Store): Promise<void> {
  for (;;) {
    const gone = await store.transaction("channels-drop", (tx) =>
      tx.query(
        `delete from broadcast_channels where (tenant_id, id, version) in (
           select c.tenant_id, c.id, c.version from broadcast_channels c
           where c.deleted_version is not null and not exists (
             select 1 from broadcast_job_states j
             where j.tenant_id = c.tenant_id and j.snapshot >= c.version and j.snapshot < c.deleted_version
               and j.job_state <> 'done')
           limit ${STEP}) returning id`,
      ),
    );
    if (gone.length < STEP) return;
  }
}

import type { FileflowContext } from "./fileflow-context.ts";
import { settleSchedules } from "./schedules/serve-schedules.ts";

const STEP = 200;
const DAY = 86_400_000;
/** How long plans and ended redrives stay. */
const REDRIVES_MS = 30 * DAY;

/** Removes what is left of executions whose jobs the engine has purged, and old plans. */
export async function housekeeping(context: FileflowContext): Promise<void> {
  await forgetPurged(context);
  await settleSchedules(context);
  const { store } = context.andon;
  const before = store.clock.now() - REDRIVES_MS;
  await store.transaction("redrives-forget", (tx) =>
    tx.query("delete from fileflow_redrives where state <> 'RUNNING' and created_at < $1", [before]),
  );
  await store.transaction("dlq-forget", (tx) =>
    tx.query(`delete from fileflow_dlq where state in ('REDRIVEN', 'DISCARDED') and received_at < $1`, [
      store.clock.now() - context.settings.keep,
    ]),
  );
}

async function forgetPurged({ andon, references }: FileflowContext): Promise<void> {
  const { store } = andon;
  for (;;) {
    const rows = await store.query<{ id: string }>(
      `select e.id from fileflow_executions e where not exists (select 1 from pipeline_executions p where p.id = e.id)
       limit ${STEP}`,
    );
    for (const { id } of rows) {
      // Bytes first: a row that is left is found again.
      await references.removeBelow(`executions/${id}`);
      await store.transaction("execution-forget", async (tx) => {
        for (const table of ["fileflow_stages", "fileflow_extractions"])
          await tx.query(`delete from ${table} where execution_id = $1`, [id]);
        await tx.query("delete from fileflow_executions where id = $1", [id]);
      });
    }
    if (rows.length < STEP) return;
  }
}

import type { Store } from "@andon/engine";
import type { FileflowContext } from "./fileflow-context.ts";
import { firstIdAt } from "./id-times.ts";
import type { References } from "./objects/references.ts";

const STEP = 200;
const DAY = 86_400_000;
/** How long plans and ended redrives stay. */
const REDRIVES_MS = 30 * DAY;

const MOST_LOOKED_AT = 20_000;

/** Removes the rows and files of executions whose jobs the engine has purged, and old plans. */
export class Housekeeping {
  /**
   * Where the next pass over the executions begins. Each pass covers a limited number; after the last execution it starts
   * again.
   */
  #lookedUntil = "";

  async run(context: FileflowContext): Promise<void> {
    await this.#forgetPurged(context);
    await forgetOld(context);
  }

  /**
   * The engine purges jobs some time after their end and calls no hook then. Executions younger than `keep` are not checked.
   */
  async #forgetPurged({ andon, references, settings }: FileflowContext): Promise<void> {
    const { store } = andon;
    const before = firstIdAt(store.clock.now() - settings.keep);
    for (let looked = 0; looked < MOST_LOOKED_AT; looked += STEP) {
      const rows = await store.scan<{ id: string; isKept: number }>(
        `select e.id, case when exists (select 1 from pipeline_executions p where p.id = e.id) then 1 else 0 end as "isKept"
         from fileflow_executions e where e.id > $1 and e.id < $2 order by e.id limit ${STEP}`,
        [this.#lookedUntil, before],
      );
      for (const { id, isKept } of rows) if (Number(isKept) === 0) await forget(store, references, id);
      this.#lookedUntil = rows.length < STEP ? "" : (rows.at(-1)?.id ?? "");
      if (rows.length < STEP) return;
    }
  }
}

async function forgetOld(context: FileflowContext): Promise<void> {
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

async function forget(store: Store, references: References, id: string): Promise<void> {
  // The files first: a row that remains is found again by the next pass.
  await references.removeBelow(`executions/${id}`);
  await store.transaction("execution-forget", async (tx) => {
    for (const table of ["fileflow_stages", "fileflow_extractions"])
      await tx.query(`delete from ${table} where execution_id = $1`, [id]);
    await tx.query("delete from fileflow_executions where id = $1", [id]);
  });
}

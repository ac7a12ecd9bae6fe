import type { Store, Tx } from "@andon/engine";
import { cleanUpLater } from "../files/cleanup-queue.ts";
import type { StudioContext } from "../studio-context.ts";
import { tallyMove } from "./task-tally.ts";

const TABLES = ["task_log", "task_image", "task_schedule", "task"] as const;

/** Deletes a task's rows in the transaction that deletes its job. */
export async function forgetTask(tx: Tx, id: string, now: number): Promise<void> {
  await tallyMove(tx, id, undefined, now);
  for (const table of TABLES) await tx.query(`delete from ${table} where task_id = $1`, [id]);
}

const STEP = 100;

/** Deletes the rows of tasks whose jobs the engine has purged after `keep`, and then their files. */
export async function forgetPurgedTasks(context: Pick<StudioContext, "queue">, store: Store): Promise<void> {
  for (;;) {
    const gone = await store.transaction("tasks-forget", async (tx) => {
      const rows = await tx.query<{ id: string; tenant: string; organization: string | null }>(
        `select t.task_id as id, t.tenant_id as tenant, t.organization_id as organization from task t
         where t.state in ('completed', 'cancelled')
           and not exists (select 1 from task_queue q where q.task_id = t.task_id) limit ${STEP}`,
      );
      for (const task of rows) {
        await forgetTask(tx, task.id, store.clock.now());
        await cleanUpLater(context, tx, task, "all");
      }
      return rows.length;
    });
    if (gone < STEP) return;
  }
}

import { newId, type Store, type Tx } from "@andon/engine";
import type { TaskState } from "./task-rows.ts";

/** The properties by which tasks are counted. */
interface Tallied {
  readonly tenantId: string;
  readonly organizationId: string | null;
  readonly type: string;
  readonly state: TaskState;
}

/**
 * Counts are sums of changes. Each change is written in the transaction that causes it, so counts are exact, and as fast with
 * a million tasks as with ten.
 */
export async function tally(tx: Tx, of: Tallied, number: number, now: number): Promise<void> {
  await tx.query(
    "insert into task_tally (id, tenant_id, organization_id, type, state, number) values ($1, $2, $3, $4, $5, $6)",
    [newId(now), of.tenantId, of.organizationId, of.type, of.state, number],
  );
}

/**
 * Moves a task from one count to another before its row changes; without `to`, only removes it, before its row is deleted.
 */
export async function tallyMove(
  tx: Tx,
  taskId: string,
  to: Partial<Pick<Tallied, "type" | "state">> | undefined,
  now: number,
): Promise<void> {
  // Updates nothing but locks the row, so that the values read here are those that the transaction replaces.
  const [before] = await tx.query<Tallied>(
    `update task set images_changed = images_changed where task_id = $1
     returning tenant_id as "tenantId", organization_id as "organizationId", type, state`,
    [taskId],
  );
  if (!before) return;
  await tally(tx, before, -1, now);
  if (to) await tally(tx, { ...before, ...to }, 1, now);
}

/** The number of changes that one transaction merges. */
const STEP = 5_000;

/** Replaces changes by their sums. A second process that merges at the same time finds the changes deleted. */
export async function mergeTallies(store: Store): Promise<void> {
  for (;;) {
    const merged = await store.transaction("task-tallies-merge", async (tx) => {
      const rows = await tx.query<Tallied & { number: number }>(
        `delete from task_tally where id in (select id from task_tally order by id limit ${STEP})
         returning tenant_id as "tenantId", organization_id as "organizationId", type, state, number`,
      );
      const sums = new Map<string, Tallied & { number: number }>();
      for (const row of rows) {
        const key = JSON.stringify([row.tenantId, row.organizationId, row.type, row.state]);
        const number = (sums.get(key)?.number ?? 0) + Number(row.number);
        sums.set(key, { ...row, number });
      }
      for (const sum of sums.values())
        if (sum.number !== 0) await tally(tx, sum, sum.number, store.clock.now());
      return rows.length;
    });
    if (merged < STEP) return;
  }
}

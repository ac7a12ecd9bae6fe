import { Conditions } from "@andon/app";
import { iso, type Language, localError } from "@andon/contract";
import { TASK_TABS } from "../contract/states.ts";
import type { Scope, StudioContext } from "../studio-context.ts";
import { tabNamed, tabOfPhase } from "./tabs.ts";
import { statusOf, TASK_COLUMNS, type TaskRow } from "./task-rows.ts";

interface Wanted {
  readonly page: number;
  readonly limit: number;
  readonly tab?: string | undefined;
  readonly text?: string | undefined;
}

/** Tasks of one tab, or all: newest scheduled time first. */
export async function listTasks(
  { andon, phases }: Pick<StudioContext, "andon" | "phases">,
  scope: Scope,
  { page, limit, tab, text }: Wanted,
  language: Language,
) {
  const conditions = new Conditions();
  if (tab !== undefined) {
    const { state, type } = tabNamed(tab, phases);
    conditions.add("t.state = ?", state);
    if (type !== undefined) conditions.add("t.type = ?", type);
  }
  if (text !== undefined) conditions.containing(["t.title"], text);
  const { where } = conditions.within(scope, "t");
  const [count] = await andon.store.scan<{ total: number }>(
    `select count(*) as total from task t ${where}`,
    conditions.params,
  );
  const rows = await andon.store.scan<TaskRow>(
    `select ${TASK_COLUMNS} from task t ${where} order by t.scheduled_time desc, t.task_id desc
     limit ${conditions.param(limit)} offset ${conditions.param((page - 1) * limit)}`,
    conditions.params,
  );
  const jobs = new Map(
    (await andon.reading.jobs(rows.map(({ taskId }) => taskId))).map((job) => [job.id, job]),
  );
  const items = rows.flatMap(({ taskId, title, userId, type, state, priority, scheduledTime, createdAt }) => {
    const job = jobs.get(taskId);
    // Purged by the engine: its row goes next.
    if (!job) return [];
    return {
      taskId,
      title,
      userId,
      type,
      status: statusOf(state, job.state === "running"),
      error: state === "failed" && job.error ? localError(job.error, language).message : null,
      priority: Number(priority),
      scheduledTime: iso(scheduledTime),
      createdAt: iso(createdAt),
    };
  });
  return { total: Number(count?.total ?? 0), page, limit, items };
}

/** How many tasks each tab has. Cancelled ones have a tab and no count. */
export async function countTasks({ andon, phases }: Pick<StudioContext, "andon" | "phases">, scope: Scope) {
  const conditions = new Conditions().within(scope, "t");
  const rows = await andon.store.scan<{ state: string; type: string; total: number }>(
    `select t.state, t.type, count(*) as total from task t ${conditions.where} group by t.state, t.type`,
    conditions.params,
  );
  const names = [...phases.map((phase) => tabOfPhase(phase.name)), ...TASK_TABS];
  const counts: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  for (const { state, type, total } of rows) {
    const tab = state === "open" ? tabOfPhase(type) : state;
    if (tab !== "cancelled") counts[tab] = (counts[tab] ?? 0) + Number(total);
  }
  return counts as Record<(typeof TASK_TABS)[number], number>;
}

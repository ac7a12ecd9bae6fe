import { Conditions } from "@andon/app";
import { iso, type Language, localError } from "@andon/contract";
import type { Store } from "@andon/engine";
import { TASK_TABS } from "../contract/states.ts";
import type { Scope, StudioContext } from "../studio-context.ts";
import { type Tab, tabNamed, tabOfPhase } from "./tabs.ts";
import { statusOf, TASK_COLUMNS, type TaskRow } from "./task-rows.ts";

interface Paging {
  readonly page: number;
  readonly limit: number;
}

interface Wanted extends Paging {
  readonly tab?: string | undefined;
  readonly text?: string | undefined;
}

/** A search compares at most this many tasks of the tab, the newest ones. */
const MOST_SEARCHED = 10_000;
const NEWEST_FIRST = "t.scheduled_time desc, t.task_id desc";

/**
 * The tasks of one tab or of all, latest scheduled time first. The total of a tab is exact; a search covers only the newest
 * and says if there are more.
 */
export async function listTasks(
  context: Pick<StudioContext, "andon" | "phases">,
  scope: Scope,
  wanted: Wanted,
  language: Language,
) {
  const { page, limit, tab: name, text } = wanted;
  const tab = name === undefined ? undefined : tabNamed(name, context.phases);
  const { total, more, rows } =
    text === undefined
      ? await pageOfTab(context, scope, tab, wanted)
      : await search(context, scope, tab, text, wanted);
  const items = await shownTasks(context.andon, rows, language);
  return { total, page, limit, items, ...(more ? { more: true as const } : {}) };
}

interface Found {
  readonly total: number;
  readonly more: boolean;
  readonly rows: readonly TaskRow[];
}

function inTab(scope: Scope, tab: Tab | undefined): Conditions {
  const conditions = new Conditions();
  if (tab) conditions.add("t.state = ?", tab.state);
  if (tab?.type !== undefined) conditions.add("t.type = ?", tab.type);
  return conditions.within(scope, "t");
}

async function pageOfTab(
  { andon }: Pick<StudioContext, "andon">,
  scope: Scope,
  tab: Tab | undefined,
  paging: Paging,
): Promise<Found> {
  const conditions = inTab(scope, tab);
  const from = `from task t ${conditions.where}`;
  const rows = await rowsOf(andon.store, from, conditions, paging);
  return { total: await totalOf(andon.store, scope, tab), more: false, rows };
}

async function search(
  { andon }: Pick<StudioContext, "andon">,
  scope: Scope,
  tab: Tab | undefined,
  text: string,
  paging: Paging,
): Promise<Found> {
  const conditions = inTab(scope, tab);
  const newest = `select t.* from task t ${conditions.where} order by ${NEWEST_FIRST} limit ${MOST_SEARCHED}`;
  const from = `from (${newest}) t ${conditions.containing(["t.title"], text).where}`;
  const [count] = await andon.store.scan<{ total: number }>(
    `select count(*) as total ${from}`,
    conditions.params,
  );
  const more = (await totalOf(andon.store, scope, tab)) > MOST_SEARCHED;
  const rows = await rowsOf(andon.store, from, conditions, paging);
  return { total: Number(count?.total ?? 0), more, rows };
}

async function totalOf(store: Store, scope: Scope, tab: Tab | undefined): Promise<number> {
  const { where, params } = inTab(scope, tab);
  const [count] = await store.query<{ total: number | null }>(
    `select sum(t.number) as total from task_tally t ${where}`,
    params,
  );
  return Number(count?.total ?? 0);
}

function rowsOf(store: Store, from: string, conditions: Conditions, { page, limit }: Paging) {
  return store.scan<TaskRow>(
    `select ${TASK_COLUMNS} ${from} order by ${NEWEST_FIRST}
     limit ${conditions.param(limit)} offset ${conditions.param((page - 1) * limit)}`,
    conditions.params,
  );
}

async function shownTasks(andon: StudioContext["andon"], rows: readonly TaskRow[], language: Language) {
  const jobs = new Map(
    (await andon.reading.jobs(rows.map(({ taskId }) => taskId))).map((job) => [job.id, job]),
  );
  return rows.flatMap(({ taskId, title, userId, type, state, priority, scheduledTime, createdAt }) => {
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
}

/** The number of tasks per tab. The tab of cancelled tasks has no count. */
export async function countTasks({ andon, phases }: Pick<StudioContext, "andon" | "phases">, scope: Scope) {
  const conditions = new Conditions().within(scope, "t");
  const rows = await andon.store.query<{ state: string; type: string; total: number }>(
    `select t.state, t.type, sum(t.number) as total from task_tally t ${conditions.where} group by t.state, t.type`,
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

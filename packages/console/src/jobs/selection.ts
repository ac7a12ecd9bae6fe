import type { JobState } from "@andon/contract";
import type { JobSummary } from "../api/client.ts";
import type { JobSearch } from "../api/queries.ts";
import type { PlannedAction } from "./plan-dialog.tsx";

/** Rows by id, or all jobs that match the filter. */
export type Selected = ReadonlySet<string> | "all";

export const NONE: Selected = new Set<string>();

export const hasAny = (selected: Selected) => selected === "all" || selected.size > 0;

/** The actions that are possible in a state. Without a state, the plan leaves out jobs that do not allow the action. */
export function actionsFor(state: JobState | undefined): readonly PlannedAction["action"][] {
  if (state === undefined) return ["retry", "skip", "cancel"];
  if (state === "failed") return ["retry", "skip"];
  return ["scheduled", "blocked", "ready", "running", "parked"].includes(state) ? ["cancel"] : [];
}

/** The queue of the selection, if it is only one: a plan has one queue. */
export function queueOf(selected: Selected, jobs: readonly JobSummary[], filter: JobSearch) {
  if (filter.queue || selected === "all") return filter.queue;
  const queues = new Set(jobs.filter(({ id }) => selected.has(id)).map(({ queue }) => queue));
  return queues.size === 1 ? [...queues][0] : undefined;
}

/** The possible plans for a selection. */
export function plansFor(
  selected: Selected,
  jobs: readonly JobSummary[],
  filter: JobSearch,
): readonly PlannedAction[] {
  const queue = queueOf(selected, jobs, filter);
  if (queue === undefined || !hasAny(selected)) return [];
  const ids = selected === "all" ? undefined : [...selected];
  return actionsFor(filter.state).map((action) => ({ action, queue, ids }));
}

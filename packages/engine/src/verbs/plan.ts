import { AndonError, type Decision, type JobState, MOST_NAMED, type Scope } from "@andon/contract";
import { newId } from "../ids.ts";
import { lanesOf } from "../lanes/lane-id.ts";
import { JOB_TRANSITIONS } from "../lifecycle/job-transitions.ts";
import { PlannedList } from "../operations/planned-list.ts";
import type { JobFilter, PlanAction, PlanRow, Store } from "../ports/store.ts";
import { reasonOf } from "./skip.ts";

/** The action of a bulk decision, and its jobs: those of a filter, or those with these ids. */
export interface PlanWish {
  action: PlanAction;
  filter?: Omit<JobFilter, "queue"> | undefined;
  ids?: readonly string[] | undefined;
}

export type PlanState = "OPEN" | "APPLIED" | "EXPIRED";

/** The states to which an action applies, in the order in which jobs go through them. */
const PLANNED_STATES: Record<PlanAction, readonly JobState[]> = {
  retry: JOB_TRANSITIONS.retry.from,
  skip: JOB_TRANSITIONS.skip.from,
  cancel: JOB_TRANSITIONS.cancel.from,
};

/** Freezes the selected jobs, and computes the effect that the action would have. No job is changed. */
export async function makePlan(
  store: Store,
  queue: string,
  wish: PlanWish,
  decision: Decision,
): Promise<PlanRow> {
  const reason = wish.action === "skip" ? reasonOf(decision) : decision.reason?.trim() || null;
  const tenant = decision.tenant ?? null;
  const organization = decision.organization ?? null;
  const scope = { tenant, organization };
  const createdAt = store.clock.now();
  const { action } = wish;
  const plan: PlanRow = {
    id: newId(createdAt),
    queue,
    action,
    actor: decision.actor,
    reason,
    tenant,
    organization,
    createdAt,
    expiresAt: createdAt,
    appliedAt: null,
    reach: { byState: {}, lanesOpened: 0, waitingBehind: 0, queueStopped: false, leftOut: 0 },
    count: 0,
  };
  const list = new PlannedList(store, plan);
  const leftOut = wish.ids
    ? await listNamed(store, list, wish.ids, scope)
    : await listMatching(store, list, wish, scope);
  if (list.count === 0) throw new AndonError("PLAN_EMPTY");
  return list.save(leftOut);
}

/**
 * Lists every job of the filter that allows the action; fails rather than list only some. Returns how many are left
 * out.
 */
async function listMatching(
  store: Store,
  list: PlannedList,
  { action, filter }: PlanWish,
  scope: Scope,
): Promise<number> {
  const matching = within(scope, filter);
  const states = PLANNED_STATES[action].filter((state) => (filter?.state ?? state) === state);
  for await (const batch of store.read.scanJobs(list.queue, states, matching))
    await list.add((await store.read.plannedJobs(batch)).filter((job) => states.includes(job.state)));
  const { counts } = await store.read.countJobs({ ...matching, queue: list.queue });
  const isLeftOut = (state: JobState) => !PLANNED_STATES[action].includes(state);
  return (Object.keys(counts) as JobState[]).filter(isLeftOut).reduce((sum, state) => sum + counts[state], 0);
}

/** The filter, narrowed to the scope of the decision. */
function within(scope: Scope, filter: PlanWish["filter"]): JobFilter {
  const matching: JobFilter = { ...filter };
  for (const member of ["tenant", "organization"] as const) {
    const own = scope[member] ?? undefined;
    if (own === undefined) continue;
    if (matching[member] !== undefined && matching[member] !== own)
      throw new AndonError("PP-403-SCOPE", { given: matching[member] });
    matching[member] = own;
  }
  return matching;
}

async function listNamed(
  store: Store,
  list: PlannedList,
  ids: readonly string[],
  scope: Scope,
): Promise<number> {
  if (ids.length > MOST_NAMED) throw new AndonError("PLAN_TOO_LARGE", { most: MOST_NAMED });
  const found = (await store.read.jobsById(ids, scope)).filter((job) => job.queue === list.queue);
  const known = new Set(found.map((job) => job.id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw new AndonError("JOB_NOT_FOUND", { job: missing });
  const jobs = found.filter((job) => PLANNED_STATES[list.action].includes(job.state));
  await list.add(jobs.map((job) => ({ ...job, lanes: lanesOf(job) })));
  return found.length - jobs.length;
}

export function planState({ appliedAt, expiresAt }: PlanRow, now: number): PlanState {
  if (appliedAt !== null) return "APPLIED";
  return now >= expiresAt ? "EXPIRED" : "OPEN";
}

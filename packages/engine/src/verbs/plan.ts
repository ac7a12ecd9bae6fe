import { AndonError, type Decision, type JobCounts, type JobState, MOST_PLANNED } from "@andon/contract";
import { newId } from "../ids.ts";
import type { JobFilter, JobRow, PlanAction, PlanReach, PlanRow, Store } from "../ports/store.ts";
import { reasonOf } from "./resolve.ts";

/** Which jobs a bulk decision is meant for: those of a filter, or these. */
export interface PlanWish {
  action: PlanAction;
  filter?: Omit<JobFilter, "queue"> | undefined;
  ids?: readonly string[] | undefined;
}

export type PlanState = "OPEN" | "APPLIED" | "EXPIRED";

const LIFETIME_MS = 15 * 60_000;

/** States in which a job may be meant by an action, in the order that jobs go through them. */
const PLANNED_STATES: Record<PlanAction, readonly JobState[]> = {
  retry: ["failed"],
  skip: ["failed"],
  cancel: ["scheduled", "blocked", "ready", "running"],
};

/** Freezes the jobs that are meant, and says what the action would do to them. Nothing is changed. */
export async function makePlan(
  store: Store,
  queue: string,
  wish: PlanWish,
  decision: Decision,
): Promise<PlanRow> {
  const reason = wish.action === "skip" ? reasonOf(decision) : decision.reason?.trim() || null;
  const tenant = decision.tenant ?? null;
  const { jobs, leftOut } = wish.ids
    ? await jobsNamed(store, queue, wish, wish.ids, tenant)
    : await jobsMeant(store, queue, wish, tenant);
  if (jobs.length === 0) throw new AndonError("PLAN_EMPTY");
  const reach = { ...(await reachOf(store, queue, wish.action, jobs)), leftOut };
  return store.transaction("plan", async (tx) => {
    const createdAt = tx.now();
    const row: PlanRow = {
      id: newId(createdAt),
      queue,
      action: wish.action,
      actor: decision.actor,
      reason,
      tenant,
      createdAt,
      expiresAt: createdAt + LIFETIME_MS,
      appliedAt: null,
      reach,
      targets: jobs.map(({ pos, id, ticket, state, attempts, fence }) => ({
        pos,
        id,
        ticket,
        state,
        attempts,
        fence,
      })),
    };
    await tx.addPlan(row);
    return row;
  });
}

/** Every job of the filter that the action is possible for, or none: a part of them would be a surprise. */
async function jobsMeant(store: Store, queue: string, { action, filter }: PlanWish, tenant: string | null) {
  if (tenant !== null && filter?.tenant !== undefined && filter.tenant !== tenant)
    throw new AndonError("PP-403-SCOPE", { given: filter.tenant });
  const meant: JobFilter = { ...filter, ...(tenant === null ? {} : { tenant }) };
  const states = PLANNED_STATES[action].filter((state) => (filter?.state ?? state) === state);
  const positions: number[] = [];
  for await (const batch of store.read.scanJobs(queue, states, meant)) {
    positions.push(...batch);
    if (positions.length > MOST_PLANNED) throw new AndonError("PLAN_TOO_LARGE", { most: MOST_PLANNED });
  }
  const jobs = (await store.read.readJobs(positions)).filter((job) => states.includes(job.state));
  const { counts } = await store.read.countJobs({ ...meant, queue });
  const isLeftOut = (state: JobState) => !PLANNED_STATES[action].includes(state);
  const leftOut = (Object.keys(counts) as JobState[])
    .filter(isLeftOut)
    .reduce((sum, state) => sum + counts[state], 0);
  return { jobs, leftOut };
}

async function jobsNamed(
  store: Store,
  queue: string,
  { action }: PlanWish,
  ids: readonly string[],
  tenant: string | null,
) {
  if (ids.length > MOST_PLANNED) throw new AndonError("PLAN_TOO_LARGE", { most: MOST_PLANNED });
  const found = (await store.read.jobsById(ids, tenant)).filter((job) => job.queue === queue);
  const known = new Set(found.map((job) => job.id));
  const missing = ids.find((id) => !known.has(id));
  if (missing !== undefined) throw new AndonError("JOB_NOT_FOUND", { job: missing });
  const jobs = found.filter((job) => PLANNED_STATES[action].includes(job.state));
  return { jobs, leftOut: found.length - jobs.length };
}

async function reachOf(
  store: Store,
  queue: string,
  action: PlanAction,
  jobs: readonly JobRow[],
): Promise<Omit<PlanReach, "leftOut">> {
  const byState: Partial<JobCounts> = {};
  for (const { state } of jobs) byState[state] = (byState[state] ?? 0) + 1;
  const queueStopped = (await store.read.queue(queue))?.state === "stopped";
  const opened = { lanesOpened: 0, waitingBehind: 0 };
  if (action !== "cancel") {
    const ids = new Set(jobs.map((job) => job.id));
    const inLane = new Map<string, number>();
    for (const key of jobs.flatMap((job) => job.keys)) inLane.set(key, (inLane.get(key) ?? 0) + 1);
    for (const { key, depth, held } of await store.read.lanesHeldByFailure(queue, [...inLane.keys()])) {
      if (!ids.has(held?.jobId ?? "")) continue;
      opened.lanesOpened++;
      opened.waitingBehind += Math.max(0, depth - (inLane.get(key) ?? 0));
    }
  }
  return { byState, ...opened, queueStopped };
}

export function planState({ appliedAt, expiresAt }: PlanRow, now: number): PlanState {
  if (appliedAt !== null) return "APPLIED";
  return now >= expiresAt ? "EXPIRED" : "OPEN";
}

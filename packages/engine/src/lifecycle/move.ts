import type { JobCounts, JobState } from "@andon/contract";
import type { HappenedCounts, JobPatch, LineJob, StoreTx } from "../ports/store.ts";
import { guard, type JobEvent } from "./job-transitions.ts";

const IN_LINE: ReadonlySet<JobState> = new Set(["scheduled", "blocked", "ready", "running"]);

/** Where a move leads. `line`: the lanes decide whether the job is ready or blocked. */
export type Destination =
  | { to: "line" }
  | { to: "scheduled"; due: number; kind: "later" | "backoff" }
  | { to: "parked"; at: number; until: number }
  | { to: "failed" | "skipped" | "cancelled" | "resolved" | "aborted"; at: number };

type MovedJob = Omit<LineJob, "keys" | "seq">;

/**
 * Moves jobs of one queue along one arrow of the transition table: removes them from the rows of their present state,
 * inserts them into those of the next, and updates the counts. The caller has locked their rows, and has taken the
 * claim of a running one. A failed job keeps its places in its lanes; every other ended job leaves them, which admits
 * the next jobs. Returns the jobs that are ready now.
 */
export async function moveJobs(
  tx: StoreTx,
  jobs: readonly MovedJob[],
  event: JobEvent,
  destination: Destination,
  patch: JobPatch = {},
): Promise<ReadonlySet<number>> {
  const queue = jobs[0]?.queue;
  if (queue === undefined) return NONE;
  for (const job of jobs) guard(job, event);
  const positions = jobs.map((job) => job.pos);
  await leavePlaces(tx, queue, jobs);
  await tx.saveJobs(positions, { ...patch, ...restState(destination, jobs) });
  const { changes, ready } = await enterPlaces(tx, queue, positions, destination);
  for (const job of jobs) changes[job.state] = (changes[job.state] ?? 0) - 1;
  tx.tally(queue, changes);
  return ready;
}

const NONE: ReadonlySet<number> = new Set();

async function leavePlaces(tx: StoreTx, queue: string, jobs: readonly MovedJob[]): Promise<void> {
  const inState = (state: JobState) => jobs.filter((job) => job.state === state).map((job) => job.pos);
  await tx.leaveReady(queue, inState("ready"));
  await tx.leaveTimers([...inState("scheduled"), ...inState("parked")]);
  await tx.leaveEnded([...inState("failed"), ...inState("parked"), ...inState("aborted")]);
}

/**
 * Jobs that wait or run are stored as `open` already, so a million jobs that become due need no write to their rows.
 */
function restState(destination: Destination, jobs: readonly MovedJob[]): JobPatch {
  if (destination.to === "line" || destination.to === "scheduled")
    return jobs.every(({ state }) => IN_LINE.has(state)) ? {} : { state: "open", finishedAt: null };
  if (destination.to === "parked") return { state: "parked" };
  return { state: destination.to, finishedAt: destination.at };
}

async function enterPlaces(
  tx: StoreTx,
  queue: string,
  positions: readonly number[],
  destination: Destination,
): Promise<{ changes: Partial<JobCounts & HappenedCounts>; ready: ReadonlySet<number> }> {
  if (destination.to === "line") {
    const ready = await tx.enterLine(queue, positions);
    return { changes: { ready: ready.size, blocked: positions.length - ready.size }, ready };
  }
  if (destination.to === "scheduled") {
    for (const pos of positions) await tx.setTimer(queue, pos, destination.due, destination.kind);
    return { changes: { scheduled: positions.length }, ready: NONE };
  }
  await tx.recordEnded(positions, destination.to, destination.at);
  if (destination.to === "parked") {
    for (const pos of positions) await tx.setTimer(queue, pos, destination.until, "park");
    return { changes: { parked: positions.length }, ready: NONE };
  }
  if (destination.to !== "failed") await tx.leaveLanes(queue, positions);
  const failures = destination.to === "failed" ? positions.length : 0;
  return { changes: { [destination.to]: positions.length, failures }, ready: NONE };
}

import type { Schedule } from "@andon/contract";
import { newId } from "../ids.ts";
import { lanesOf } from "../lanes/lane-id.ts";
import type { NewJob, Store, StoreTx } from "../ports/store.ts";
import { type DueRuns, dueRuns } from "./due-runs.ts";
import { runTimes } from "./run-times.ts";

const MOST_SCHEDULES = 100;

interface Firing extends DueRuns {
  readonly schedule: Schedule;
}

/**
 * Fires schedules that are due: their jobs are added and their next times are set in one transaction, under the lock of
 * their rows, so that no process and no crash can lose or double a run. The idempotency key of each job has the
 * schedule and the due time, so that a time that is due again adds no second job. Returns how many schedules got their
 * next time.
 */
export async function fire(store: Store, onError: (error: unknown) => void): Promise<number> {
  return store.transaction("schedule.fire", async (tx) => {
    const firings = await dueFirings(tx, unreadableIn(store), onError);
    for (const queue of [...new Set(firings.map(({ schedule }) => schedule.queue))].sort())
      await addRuns(
        tx,
        queue,
        firings.filter((firing) => firing.schedule.queue === queue),
      );
    for (const { schedule, nextAt, lastDueAt } of firings)
      await tx.saveSchedule({ ...schedule, nextAt, lastDueAt });
    if (firings.length > 0) await tx.signalOnCommit({ kind: "timer" });
    return firings.length;
  });
}

/**
 * A schedule that this process cannot read (another version's syntax, an unknown zone) is left to other processes. It
 * stays due and comes first in every search, so the search continues behind it until it has a full step of readable
 * schedules.
 */
async function dueFirings(
  tx: StoreTx,
  unreadable: UnreadableSchedules,
  onError: (error: unknown) => void,
): Promise<Firing[]> {
  const firings: Firing[] = [];
  let after: Schedule | undefined;
  do {
    const due = await tx.lockDueSchedules(tx.now(), MOST_SCHEDULES - firings.length, after);
    after = due.at(-1);
    for (const schedule of due) {
      try {
        firings.push(firingOf(schedule, tx.now()));
        unreadable.delete(schedule.id);
      } catch (error) {
        if (unreadable.get(schedule.id) !== schedule.updatedAt) onError(error);
        unreadable.set(schedule.id, schedule.updatedAt);
      }
    }
  } while (after && firings.length < MOST_SCHEDULES);
  return firings;
}

function firingOf(schedule: Schedule, now: number): Firing {
  const times = runTimes(schedule.cron, schedule.timeZone);
  return { schedule, ...dueRuns({ ...schedule, nextAt: schedule.nextAt ?? now }, times, now) };
}

/** The version of each schedule that this process could not read, by id: each version is reported once. */
type UnreadableSchedules = Map<string, number>;
const unreadableByStore = new WeakMap<Store, UnreadableSchedules>();

function unreadableIn(store: Store): UnreadableSchedules {
  const known = unreadableByStore.get(store) ?? new Map();
  unreadableByStore.set(store, known);
  return known;
}

async function addRuns(tx: StoreTx, queue: string, firings: readonly Firing[]): Promise<void> {
  const runs = firings.flatMap((firing) => firing.runs.map((dueAt) => ({ ...firing, dueAt })));
  runs.sort((a, b) => a.dueAt - b.dueAt);
  for (const { schedule, missed } of firings)
    if (missed)
      tx.event("schedule.missed", queue, null, {
        schedule: schedule.name,
        policy: schedule.missed,
        ...missed,
      });
  if (runs.length === 0) return;
  await tx.ensureQueue(queue);
  const jobs = runs.map(({ schedule, dueAt }) => jobOf(schedule, dueAt, tx.now()));
  // This process may not know the queue's rules: adding as for a serial queue is right for every queue.
  const placed = await tx.enqueue(queue, true, jobs);
  runs.forEach(({ schedule, dueAt }, index) => {
    if (placed[index]?.isNew)
      tx.event("schedule.fired", queue, placed[index].id, { schedule: schedule.name, dueAt });
  });
}

/** The due time is the job's run time: its handler reads it as `job.runAt`, in every attempt. */
export function jobOf({ id, job, payload }: Schedule, dueAt: number, now: number): NewJob {
  return {
    id: newId(now),
    name: job.name,
    tenant: job.tenant,
    organization: job.organization,
    // This process may not know the queue's rules: a queue that does not share fairly ignores the share.
    share: job.tenant,
    lanes: lanesOf(job),
    priority: job.priority,
    payload: JSON.stringify(payload),
    runAt: dueAt,
    idempotencyKey: `schedule:${id}:${dueAt}`,
    traceId: null,
    // For the same reason the first claim gives the job its stages.
    stages: null,
  };
}

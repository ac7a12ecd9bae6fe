import { SLOWEST_BEAT_LEASE_MS } from "../housekeeping/sweeper.ts";
import type { Store, WorkerRow } from "../ports/store.ts";
import { BEATS_PER_LEASE } from "../worker/heartbeat.ts";

/** A worker as an operator sees it. */
export interface WorkerStatus {
  readonly id: string;
  readonly host: string;
  readonly pid: number;
  readonly startedAt: number;
  /** Null for a worker of an earlier version, which does not report it. */
  readonly version: string | null;
  readonly queues: readonly string[];
  readonly lastBeatAt: number | null;
  /** Since when its signs of life are missing; null while none is missing. */
  readonly silentSince: number | null;
  readonly running: number;
  /** How many jobs it runs at most; null for a worker of an earlier version, which does not report it. */
  readonly places: number | null;
}

/** A beat may be late by this much before the worker counts as silent. */
const LATE_MS = 1_000;

export async function workerStatuses(store: Store): Promise<WorkerStatus[]> {
  const { read } = store;
  const [workers, connected, holders] = await Promise.all([
    read.workers(),
    read.connectedWorkers(),
    read.holders(),
  ]);
  const running = new Map<string, number>();
  for (const { worker, jobs } of holders) running.set(worker, (running.get(worker) ?? 0) + Number(jobs));
  return workers.map((worker) => {
    const { id, host, pid, startedAt, version, queues, beatAt } = worker;
    return {
      id,
      host,
      pid,
      startedAt,
      version,
      queues,
      lastBeatAt: beatAt,
      silentSince: silentSince(store, worker, connected),
      running: running.get(id) ?? 0,
      places: placesOf(worker),
    };
  });
}

/**
 * A worker at work is judged by its beats; a worker at rest by its connection or, if the database does not report
 * connections, by infrequent beats.
 */
function silentSince(store: Store, worker: WorkerRow, connected: ReadonlySet<string> | null): number | null {
  const heardAt = worker.beatAt ?? worker.startedAt;
  if (connected && !connected.has(worker.id)) return heardAt;
  if (!worker.atWork && connected) return null;
  const every = worker.atWork ? leaseOf(worker) / BEATS_PER_LEASE : (store.restingBeatMs ?? 0);
  const isLate = store.clock.now() - heardAt > BEATS_PER_LEASE * every + LATE_MS;
  return isLate ? heardAt : null;
}

/** The shortest lease of its queues, which sets the interval of its beats. */
function leaseOf({ rules }: WorkerRow): number {
  return Math.min(...Object.values(rules).map(({ lease }) => lease), SLOWEST_BEAT_LEASE_MS);
}

function placesOf({ rules }: WorkerRow): number | null {
  const places = Object.values(rules).map((rule) => rule.places);
  return places.every((count) => count !== undefined)
    ? places.reduce((sum: number, count) => sum + (count ?? 0), 0)
    : null;
}

import { hostname } from "node:os";
import type { Holder, RunningRow, Store, WorkerRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { SilentFor } from "./silent-for.ts";
import { TakeBack, type TakeBackPorts } from "./take-back.ts";

/** The beat of a claim's holder that is not in the list of workers. */
const NO_BEAT = -1;

/** The longest lease that beats are made for: a worker with longer leases beats as for this one. */
export const SLOWEST_BEAT_LEASE_MS = 60_000;

/** How many beats a worker at rest may miss before it is forgotten, if beats are its only sign of life. */
const RESTING_BEATS = 3;

/**
 * Finds dead workers and takes their jobs back, in every queue that this process defines: all workers of a queue may
 * have died. The lease of a queue that is not defined here is unknown, so that queue is left to processes that define
 * it. A worker is dead for a queue when this process has seen no change of its beat for that queue's lease.
 *
 * A worker at rest does not beat, so its silence counts only from the first look that finds it with a claim. Standby
 * processes observe too, so that a successor does not have to start counting when it takes over.
 */
export class Sweeper {
  readonly #store: Store;
  readonly #takeBack: TakeBack;
  readonly #beats: SilentFor;
  /** The infrequent beats of workers at rest. */
  readonly #resting: SilentFor;
  /** Workers that looked dead at the last check. */
  #suspects = new Set<string>();

  constructor(ports: TakeBackPorts) {
    this.#store = ports.store;
    this.#takeBack = new TakeBack(ports);
    this.#beats = new SilentFor(ports.store.clock);
    this.#resting = new SilentFor(ports.store.clock);
  }

  /** For a standby process: observes which workers beat. */
  async observe(every: number): Promise<void> {
    this.#observe(await this.#store.read.workers(), [], every);
  }

  async sweep(
    queues: ReadonlyMap<string, QueueDefinition>,
    every: number,
    self: string | undefined,
  ): Promise<void> {
    const { read } = this.#store;
    const [workers, holders] = [await read.workers(), await read.holders()];
    this.#observe(workers, holders, every);
    const byId = new Map(workers.map((worker) => [worker.id, worker]));
    for (const { queue: name, worker } of holders) {
      const queue = queues.get(name);
      if (!queue || this.#beats.of(worker) < leaseOf(byId.get(worker), queue)) continue;
      const claims = await read.runningOf({ queue: name, worker });
      for (const claim of claims) await this.#takeBack.takeBack(queue, claim);
      await this.#recordLost(byId.get(worker), claims);
    }
    const busy = new Set(holders.map((holder) => holder.worker));
    for (const worker of workers) {
      if (!worker.atWork || worker.id === self || busy.has(worker.id)) continue;
      if (this.#beats.of(worker.id) >= longestLease(worker, queues)) await this.#forget(worker);
    }
  }

  /** Some worker looked dead at the last check, and is to be checked again soon. */
  get hasSuspects(): boolean {
    return this.#suspects.size > 0;
  }

  /** Forgets dead workers that hold no claim: they would still be shown as workers of their queues. */
  async forgetDead(every: number, self: string | undefined): Promise<void> {
    const { read, restingBeatMs } = this.#store;
    const others = (await read.workers()).filter(({ id }) => id !== self);
    const resting = others.filter(({ atWork }) => !atWork);
    this.#resting.observe(new Map(resting.map(({ id, beat }) => [id, beat])), every);
    const connected = others.length > 0 ? await read.connectedWorkers() : null;
    const looksDead = (worker: WorkerRow) =>
      connected
        ? !connected.has(worker.id)
        : hasNoProcess(worker) || this.#hasMissedBeats(worker, restingBeatMs);
    const suspects = new Set(others.filter(looksDead).map(({ id }) => id));
    // A broken connection is reopened within a second: a worker without one at two checks is dead.
    const gone = [...suspects].filter((id) => this.#suspects.has(id));
    const busy = new Set(gone.length > 0 ? (await read.holders()).map(({ worker }) => worker) : []);
    for (const worker of others)
      if (gone.includes(worker.id) && !busy.has(worker.id)) await this.#forget(worker);
    this.#suspects = suspects;
  }

  #hasMissedBeats({ id }: WorkerRow, restingBeatMs: number | null): boolean {
    return restingBeatMs !== null && this.#resting.of(id) > RESTING_BEATS * restingBeatMs;
  }

  #observe(workers: readonly WorkerRow[], holders: readonly Holder[], every: number): void {
    const beats = new Map(holders.map(({ worker }) => [worker, NO_BEAT]));
    for (const { id, beat, atWork } of workers) if (atWork || beats.has(id)) beats.set(id, beat);
    this.#beats.observe(beats, every);
  }

  async #forget(worker: WorkerRow): Promise<void> {
    await this.#store.transaction("forget-worker", async (tx) => {
      await tx.addLostWorker(worker, []);
      await tx.forgetWorker(worker.id);
    });
  }

  /** Records for the list of workers which one died, and its jobs. */
  async #recordLost(worker: WorkerRow | undefined, claims: readonly RunningRow[]): Promise<void> {
    if (!worker || claims.length === 0) return;
    const jobs = claims.map(({ id }) => id);
    await this.#store.transaction("lost-worker", (tx) => tx.addLostWorker(worker, jobs));
  }
}

/**
 * The longer of this process's lease and the worker's own: a worker beats by its own, and they may differ during a
 * rollout.
 */
function leaseOf(worker: WorkerRow | undefined, { name, rules }: QueueDefinition): number {
  return Math.max(rules.lease, worker?.rules[name]?.lease ?? 0);
}

/**
 * The longest lease of a worker's queues. A queue that is not defined here counts with the longest lease that beats are
 * made for, and so does a worker without queues.
 */
function longestLease(worker: WorkerRow, queues: ReadonlyMap<string, QueueDefinition>): number {
  const leases = worker.queues.map((name) => {
    const queue = queues.get(name);
    return queue ? leaseOf(worker, queue) : SLOWEST_BEAT_LEASE_MS;
  });
  return leases.length === 0 ? SLOWEST_BEAT_LEASE_MS : Math.max(...leases);
}

/**
 * Whether the worker ran on this host and its process is gone. A SQLite file is shared by processes of one machine, or
 * of containers with distinct host names.
 */
function hasNoProcess({ host, pid }: WorkerRow): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

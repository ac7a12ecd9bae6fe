import { hostname } from "node:os";
import type { Holder, RunningRow, Store, WorkerRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { SilentFor } from "./silent-for.ts";
import { TakeBack, type TakeBackPorts } from "./take-back.ts";

/** A worker that is not in the list of workers any more has no beat. */
const NO_BEAT = -1;

/** Whatever the leases of its queues are, a worker beats as if one were no longer than this. */
export const SLOWEST_BEAT_LEASE_MS = 60_000;

/** As many beats may a worker at rest miss before it is forgotten, where its beats are all that tells of it. */
const RESTING_BEATS = 3;

/**
 * Finds dead workers and takes their jobs back, in every queue that is defined here: all who worked one may have died. A
 * queue that is not defined here has no lease to judge by, and is left to whoever defines it. A worker is dead for a
 * queue when its beat has not changed for that queue's lease, as seen here.
 *
 * A worker at rest does not beat, so its silence counts only from the look on that finds it with a claim. Those who stand by
 * observe too, so that a successor does not begin to count when it takes over.
 */
export class Sweeper {
  readonly #store: Store;
  readonly #takeBack: TakeBack;
  readonly #beats: SilentFor;
  /** Beats of workers at rest, which are rare. */
  readonly #resting: SilentFor;
  /** Workers that looked dead at the last check. */
  #suspects = new Set<string>();

  constructor(ports: TakeBackPorts) {
    this.#store = ports.store;
    this.#takeBack = new TakeBack(ports);
    this.#beats = new SilentFor(ports.store.clock);
    this.#resting = new SilentFor(ports.store.clock);
  }

  /** What a standby does: it learns who beats. */
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

  /** Forgets workers that died and hold nothing: nobody waits for that, but they would be shown as workers of their queues. */
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
    // A connection that broke is made anew within a second: who is without one at two checks is gone.
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

  /** For the list of workers: which one died, and what it was at. */
  async #recordLost(worker: WorkerRow | undefined, claims: readonly RunningRow[]): Promise<void> {
    if (!worker || claims.length === 0) return;
    const jobs = claims.map(({ id }) => id);
    await this.#store.transaction("lost-worker", (tx) => tx.addLostWorker(worker, jobs));
  }
}

/** Ours or its own, whichever is longer: it beats by its own, and while a new version is rolled out they may differ. */
function leaseOf(worker: WorkerRow | undefined, { name, rules }: QueueDefinition): number {
  return Math.max(rules.lease, worker?.rules[name]?.lease ?? 0);
}

/** Of a worker's queues; for one that is not defined here, and for a worker without any, what its beat is made for. */
function longestLease(worker: WorkerRow, queues: ReadonlyMap<string, QueueDefinition>): number {
  const leases = worker.queues.map((name) => {
    const queue = queues.get(name);
    return queue ? leaseOf(worker, queue) : SLOWEST_BEAT_LEASE_MS;
  });
  return leases.length === 0 ? SLOWEST_BEAT_LEASE_MS : Math.max(...leases);
}

/** A file is shared by processes of one machine, or of containers that have names of their own. */
function hasNoProcess({ host, pid }: WorkerRow): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(pid, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}

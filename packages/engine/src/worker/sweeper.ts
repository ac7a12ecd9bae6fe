import { isAndonError } from "@andon/contract";
import type { Random } from "../ports/random.ts";
import type { RunningRow, Store, WorkerRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { giveBack } from "../verbs/give-back.ts";
import { MOST_REFUSALS } from "./persist.ts";
import { stopBecauseRefused } from "./settle.ts";

interface SweepPorts {
  readonly store: Store;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
}

interface Observation {
  beat: number;
  /** How long the beat has been seen not to change, in milliseconds of this process's own monotonic clock. */
  silentFor: number;
}

/** A worker that is not in the list of workers any more has no beat. */
const NO_BEAT = -1;

/** Whatever the leases of its queues are, a worker beats as if one were no longer than this. */
export const SLOWEST_BEAT_LEASE_MS = 60_000;

/**
 * Finds dead workers and takes their jobs back, in every queue that is defined here: all who worked one may have died. A
 * queue that is not defined here has no lease to judge by, and is left to whoever defines it. A worker is dead for a
 * queue when its beat has not changed for that queue's lease, as seen here: no stamp of any other machine is compared.
 * Time in which this process could not look (its own pause, a store that was away) does not count as silence.
 */
export class Sweeper {
  readonly #ports: SweepPorts;
  /** Claims whose taking back was refused, and how often. */
  readonly #refusals = new Map<string, number>();
  readonly #seen = new Map<string, Observation>();
  #lookedAt: number | undefined;

  constructor(ports: SweepPorts) {
    this.#ports = ports;
  }

  /**
   * `holds`: whether this process works on a claim of its own. One that it does not know of was committed after its
   * connection broke and nobody awaited it any more: such a claim is silent too, whatever the worker's beat says.
   */
  async sweep(
    queues: ReadonlyMap<string, QueueDefinition>,
    every: number,
    self: string,
    holds: (row: RunningRow) => boolean,
  ): Promise<number> {
    const [workers, running] = [
      await this.#ports.store.read.workers(),
      await this.#ports.store.read.runningOf({}),
    ];
    const holderOf = (row: RunningRow) =>
      row.worker === self && !holds(row) ? `${self} ${row.pos} ${row.fence}` : row.worker;
    this.#observe(workers, running.map(holderOf), every);
    const byId = new Map(workers.map((worker) => [worker.id, worker]));
    let taken = 0;
    for (const row of running) {
      const queue = queues.get(row.queue);
      const holder = holderOf(row);
      const silentFor = this.#seen.get(holder)?.silentFor ?? 0;
      if (!queue || holder === self || silentFor < leaseOf(byId.get(holder), queue)) continue;
      taken += await this.#takeBack(queue, row);
    }
    await this.#forgetDead(workers, running, queues, self);
    return taken;
  }

  #observe(workers: readonly WorkerRow[], holders: readonly string[], every: number): void {
    const now = this.#ports.store.clock.monotonic();
    const passed = this.#lookedAt === undefined ? 0 : Math.min(now - this.#lookedAt, every * 1.5);
    this.#lookedAt = now;
    const beats = new Map(holders.map((holder) => [holder, NO_BEAT]));
    for (const worker of workers) beats.set(worker.id, worker.beat);
    for (const id of this.#seen.keys()) if (!beats.has(id)) this.#seen.delete(id);
    for (const [id, beat] of beats) {
      const before = this.#seen.get(id);
      const silentFor = before && before.beat === beat ? before.silentFor + passed : 0;
      this.#seen.set(id, { beat, silentFor });
    }
  }

  async #takeBack(queue: QueueDefinition, row: RunningRow): Promise<number> {
    try {
      await giveBack(this.#ports.store, queue, row, "lost");
      return 1;
    } catch (error) {
      // Its worker was quicker after all, or another sweep was.
      if (isAndonError(error, "CLAIM_LOST")) return 0;
      this.#ports.onError(error);
      if (!this.#ports.store.isUnavailable(error)) await this.#refused(queue, row, error);
      return 0;
    }
  }

  /** What throws at every look, such as a hook of the queue, stops the line, as it does where a worker meets it. */
  async #refused(queue: QueueDefinition, row: RunningRow, error: unknown): Promise<void> {
    const claim = `${row.pos} ${row.fence}`;
    const times = (this.#refusals.get(claim) ?? 0) + 1;
    this.#refusals.set(claim, times);
    if (times < MOST_REFUSALS) return;
    this.#refusals.delete(claim);
    await stopBecauseRefused({ ...this.#ports, queue }, row, error).catch(this.#ports.onError);
  }

  async #forgetDead(
    workers: readonly WorkerRow[],
    running: readonly RunningRow[],
    queues: ReadonlyMap<string, QueueDefinition>,
    self: string,
  ): Promise<void> {
    const busy = new Set(running.map((row) => row.worker));
    for (const worker of workers) {
      const { id } = worker;
      const silentFor = this.#seen.get(id)?.silentFor ?? 0;
      if (id === self || busy.has(id) || silentFor < longestLease(worker, queues)) continue;
      await this.#ports.store.transaction("forget-worker", (tx) => tx.forgetWorker(id));
    }
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

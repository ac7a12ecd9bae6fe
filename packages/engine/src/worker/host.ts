import type { History } from "@andon/contract";
import { MeasuredTimes } from "../history/measured-times.ts";
import { roleOf } from "../housekeeping/election.ts";
import { Housekeeper } from "../housekeeping/housekeeper.ts";
import { SLOWEST_BEAT_LEASE_MS } from "../housekeeping/sweeper.ts";
import { Watch } from "../housekeeping/watch.ts";
import type { Operations } from "../operations/operations.ts";
import type { Random } from "../ports/random.ts";
import type { FleetState, FleetStateRequest, Signal, Store, WorkerRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { checkpoint } from "../verbs/checkpoint.ts";
import type { Handler } from "./handler.ts";
import { BEATS_PER_LEASE, Heartbeat } from "./heartbeat.ts";
import { Loop } from "./loop.ts";
import type { LoopOptions } from "./loop-options.ts";
import { OwnClaims } from "./own-claims.ts";
import { ProcessWork } from "./process-work.ts";
import { ProgressReports } from "./progress-reports.ts";
import { type Repeating, repeat } from "./repeat.ts";
import { SameMode } from "./same-mode.ts";

const PROGRESS_EVERY_MS = 500;
/** A process that is killed loses at most the measured times of this period. */
const TIMES_EVERY_MS = 5_000;
/** Looks merge the counts, about once a second. */
const SLOWEST_ALERT_LOOK_MS = 1_000;
/** A beat that stopped is noticed up to one look late, and judged up to another look late: together within a sweep. */
const LOOKS_PER_SWEEP = 3;
const SLOWEST_SWEEP_MS = 60_000;

export interface HostOptions {
  readonly store: Store;
  readonly random: Random;
  /** Every queue that this process defines, now or later. */
  readonly definitions: ReadonlyMap<string, QueueDefinition>;
  /** Decisions over many jobs: this process continues those of dead processes. */
  readonly operations: Operations;
  readonly history: History;
  readonly duties: ReadonlyMap<string, () => Promise<void>>;
  readonly onError: (error: unknown) => void;
}

/**
 * The worker of one process: a loop per queue, one beat and one look for all of them, progress, and the signals. Work
 * for the whole database is done by the housekeeper, which every process has and one process of a fleet runs.
 */
export class WorkerHost {
  readonly #options: HostOptions;
  readonly #loops = new Set<Loop>();
  readonly #heartbeat: Heartbeat;
  readonly #watch: Watch;
  readonly #housekeeper: Housekeeper;
  readonly #ownClaims: OwnClaims;
  readonly #modes: SameMode;
  readonly #progress: ProgressReports;
  readonly #times: MeasuredTimes;
  readonly #work = new ProcessWork();
  #repeating: Repeating[] = [];
  #stopListening: () => void = () => {};
  #starting: Promise<void> | undefined;
  #checking: Promise<void> | undefined;

  constructor(options: HostOptions) {
    const { store, onError, random } = options;
    this.#options = options;
    this.#progress = new ProgressReports(options);
    this.#times = new MeasuredTimes(options);
    this.#modes = new SameMode({ store, onError, tell: () => this.#heartbeat.beat() });
    this.#heartbeat = new Heartbeat({
      store,
      onError,
      lease: () => this.#lease(),
      worked: () => this.#worked(),
      isAtWork: () => this.#isAtWork(),
      drop: () => this.#dropAll(),
      cancel: ({ pos, fence, cancel }) => {
        for (const loop of this.#loops) loop.abort(pos, fence, cancel ? "cancel" : "abort");
      },
      wake: () => this.#wakeAll(),
      beginAnew: () => this.#modes.beginAnew(),
      registered: () => void this.#lookAtModes().catch(onError),
    });
    this.#housekeeper = new Housekeeper({ ...options, sweepEvery: () => this.#sweepEvery() });
    this.#ownClaims = new OwnClaims({
      ...options,
      holds: (row) => [...this.#loops].some((loop) => loop.holds(row.pos, row.fence)),
    });
    this.#watch = new Watch({
      store,
      random,
      onError,
      request: () => this.#request(),
      every: () => this.#lookEvery(),
      isBusy: () => this.#isAtWork() || this.#modes.isUnsure(this.#queues()),
      applyLook: (look) => this.#applyLook(look),
    });
  }

  async work(
    queue: QueueDefinition,
    handler: Handler<never>,
    options: Pick<LoopOptions, "places" | "grace" | "onDrained">,
  ): Promise<Loop> {
    const { store, random, onError } = this.#options;
    const loop = new Loop({
      store,
      queue,
      handler,
      ...options,
      random,
      onError,
      workerId: () => this.#heartbeat.id,
      onClaim: () => this.#heartbeat.beginWork(),
      mayClaim: () => this.#modes.mayClaim(queue.name),
      others: this.#loops,
      work: this.#work,
      checkpoint: (claim, cursor, writes) => checkpoint(store, claim, cursor, writes),
      progress: this.#progress,
      times: this.#times,
    });
    if (queue.rules.fair) await store.shareOut(queue.name);
    this.#loops.add(loop);
    try {
      await this.#join();
      await this.#lookAtModes();
    } catch (error) {
      // The caller gets an error and no handle to the loop: if it stayed, it would claim once the store is back.
      await this.leave(loop);
      throw error;
    }
    loop.wake();
    return loop;
  }

  /**
   * The first loop starts the worker; a later one adds its queue to the worker's row, and its lease and sweep to the
   * intervals.
   */
  async #join(): Promise<void> {
    if (this.#starting) {
      await this.#starting;
      for (const one of this.#repeating) one.sooner();
      this.#watch.alert();
      await this.#heartbeat.beat();
      return;
    }
    this.#starting = this.#start();
    try {
      await this.#starting;
    } catch (error) {
      this.#starting = undefined;
      throw error;
    }
  }

  /** Stops claiming, lets jobs finish up to the grace period, hands the rest back, and signs off. */
  async close(): Promise<void> {
    const { onError } = this.#options;
    await Promise.all([...this.#loops].map((loop) => loop.drain()));
    this.#stopListening();
    this.#watch.stop();
    for (const one of this.#repeating) one.stop();
    await this.#checking;
    await this.#times.save().catch(onError);
    await this.#housekeeper.close(this.#heartbeat.registeredId).catch(onError);
    await this.#heartbeat.close();
  }

  /** Stops working one queue; the others continue. */
  async leave(loop: Loop): Promise<void> {
    await loop.drain();
    this.#loops.delete(loop);
    if (!this.#queues().includes(loop.queue)) this.#modes.forget(loop.queue.name);
    // A worker that waits because of this queue's mode reads the row, which no beat would update at rest.
    this.#heartbeat.beatSoon();
  }

  async #start(): Promise<void> {
    const { store, onError } = this.#options;
    await this.#heartbeat.register();
    const every = (ms: () => number, work: () => Promise<unknown>) => repeat(store.clock, ms, work, onError);
    this.#stopListening = store.onSignal((signal) => this.#onSignal(signal));
    this.#repeating = [
      every(
        () => this.#beatEvery(),
        () => this.#tick(),
      ),
      every(
        () => PROGRESS_EVERY_MS,
        () => this.#progress.save(),
      ),
      every(
        () => TIMES_EVERY_MS,
        () => this.#times.save(),
      ),
    ];
    this.#watch.start();
    // The first process of a fleet becomes the housekeeper at once.
    await this.#watch.look();
  }

  async #tick(): Promise<void> {
    await this.#heartbeat.tick();
    const { id } = this.#heartbeat;
    if (!id || !this.#isAtWork()) return;
    // Not awaited: every connection except that of the beats may be waiting for a lock.
    this.#checking ??= this.#ownClaims
      .check(id, this.#beatEvery())
      .catch(this.#options.onError)
      .finally(() => {
        this.#checking = undefined;
      });
  }

  #request(): FleetStateRequest | undefined {
    const worker = this.#heartbeat.registeredId;
    if (!worker) return undefined;
    const defined = [...this.#options.definitions.keys()];
    return { worker, role: roleOf(defined), worked: this.#queues().map(({ name }) => name), defined };
  }

  async #applyLook(look: FleetState): Promise<void> {
    const asked = this.#request();
    await this.#heartbeat.onLook(look.isKnown);
    for (const loop of this.#loops) if (look.ready.includes(loop.queue.name)) loop.wake();
    await this.#lookAtModes();
    if (look.hasOperations) await this.#options.operations.look();
    const worker = this.#heartbeat.registeredId;
    // The id has changed since the request: the answer about the post is not about this worker.
    if (!asked || worker !== asked.worker || !look.isKnown) return;
    const { isAlert, areAllAlert: isNeeded } = this.#watch;
    const { role } = asked;
    await this.#housekeeper.applyLook(look, { role, worker, every: this.#lookEvery(), isAlert, isNeeded });
  }

  async #lookAtModes(): Promise<void> {
    const { row, registeredId } = this.#heartbeat;
    // A worker that looks before it has registered is not seen by workers that look later.
    if (!row || !registeredId) return;
    const free = await this.#modes.look(row, this.#queues());
    for (const loop of this.#loops) if (free.includes(loop.queue.name)) loop.wake();
  }

  #onSignal(signal: Signal): void {
    const { onError } = this.#options;
    if (signal.kind === "cancel" && signal.worker === this.#heartbeat.registeredId)
      this.#onCancelSignal(signal);
    if (signal.kind === "cancel" || signal.kind === "feed") return;
    if (signal.kind === "any") {
      this.#heartbeat.onWorkSignal();
      this.#watch.look().catch(onError);
      return;
    }
    this.#watch.alert();
    if (signal.kind === "timer" || signal.kind === "schedule") this.#housekeeper.onSignal(signal.kind);
    if (signal.kind === "operation") this.#options.operations.look().catch(onError);
    if (signal.kind !== "work") return;
    this.#heartbeat.onWorkSignal();
    for (const loop of this.#loops)
      if (loop.queue.name === signal.queue) loop.onWorkSignal(signal.opened === true);
  }

  #onCancelSignal({ aborts }: Extract<Signal, { kind: "cancel" }>): void {
    // A beat would wait for the transaction of the chunk after which the job has to stop.
    if (aborts) for (const loop of this.#loops) loop.abort(aborts.pos, aborts.fence, "abort");
    else this.#heartbeat.beat().catch(this.#options.onError);
  }

  #isAtWork(): boolean {
    for (const loop of this.#loops) if (loop.isAtWork) return true;
    return !this.#progress.isEmpty;
  }

  #dropAll(): void {
    for (const loop of this.#loops) loop.abortAll("lost");
  }

  #wakeAll(): void {
    for (const loop of this.#loops) loop.wake();
  }

  #queues(): QueueDefinition[] {
    return [...this.#loops].map((loop) => loop.queue);
  }

  #worked(): Pick<WorkerRow, "queues" | "rules"> {
    const queues = this.#queues();
    const rules = Object.entries(this.#modes.rulesOf(queues)).map(([name, rule]) => {
      const loops = [...this.#loops].filter((loop) => loop.queue.name === name);
      return [name, { ...rule, places: loops.reduce((sum, loop) => sum + loop.places, 0) }];
    });
    return { queues: queues.map(({ name }) => name), rules: Object.fromEntries(rules) };
  }

  #sweepEvery(): number {
    const sweeps = [...this.#options.definitions.values()].map((queue) => queue.rules.sweep);
    return Math.min(...sweeps, SLOWEST_SWEEP_MS) / LOOKS_PER_SWEEP;
  }

  #lookEvery(): number {
    return Math.min(this.#sweepEvery(), SLOWEST_ALERT_LOOK_MS);
  }

  #beatEvery(): number {
    return this.#lease() / BEATS_PER_LEASE;
  }

  /** The shortest lease of the queues that this process works. Called for every job. */
  #lease(): number {
    let shortest = SLOWEST_BEAT_LEASE_MS;
    for (const { queue } of this.#loops) shortest = Math.min(shortest, queue.rules.lease);
    return shortest;
  }
}

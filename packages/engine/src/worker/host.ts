import { hostname } from "node:os";
import { newId } from "../ids.ts";
import type { Operations } from "../operations/operations.ts";
import type { Random } from "../ports/random.ts";
import type { RunningRow, Signal, Store, WorkerRow } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import { fireDue } from "../schedules/scheduler.ts";
import { checkpoint } from "../verbs/checkpoint.ts";
import { purge } from "../verbs/purge.ts";
import { DueLoop } from "./due-loop.ts";
import type { Handler } from "./handler.ts";
import { Loop } from "./loop.ts";
import type { LoopOptions } from "./loop-options.ts";
import { onceMore } from "./once-more.ts";
import { ProcessWork } from "./process-work.ts";
import { ProgressReports } from "./progress-reports.ts";
import { Promoter } from "./promoter.ts";
import { type Repeating, repeat } from "./repeat.ts";
import { SameMode } from "./same-mode.ts";
import { SLOWEST_BEAT_LEASE_MS, Sweeper } from "./sweeper.ts";

const LOOK_EVERY_MS = 1_000;
/** Not the time between looks: what falls together needs more connections, and a job that comes then waits for them. */
const COMPACT_EVERY_MS = 1_100;
const PROGRESS_EVERY_MS = 500;
const PURGE_EVERY_MS = 60_000;
/** A beat that stopped is seen late by up to a look, and called dead late by up to another: together within a sweep. */
const LOOKS_PER_SWEEP = 3;
const SLOWEST_SWEEP_MS = 60_000;
/** Beats per lease: two may be late before anybody calls the worker dead. */
const BEATS_PER_LEASE = 3;

export interface HostOptions {
  readonly store: Store;
  readonly random: Random;
  /** Every queue that this process defines, now or later: dead workers' jobs are taken back in all of them. */
  readonly definitions: ReadonlyMap<string, QueueDefinition>;
  /** Decisions over many jobs: what a dead process was at, this one goes on with. */
  readonly operations: Operations;
  readonly onError: (error: unknown) => void;
}

/**
 * The worker of one process: a loop per queue, one beat for all their jobs, and the care of the store that any worker
 * does (taking back dead workers' jobs, promoting due ones, firing schedules, merging counts, purging).
 */
export class WorkerHost {
  readonly #options: HostOptions;
  readonly #loops = new Set<Loop>();
  readonly #sweeper: Sweeper;
  readonly #promoter: Promoter;
  readonly #promotions: DueLoop;
  readonly #scheduler: DueLoop;
  readonly #modes: SameMode;
  readonly #progress: ProgressReports;
  readonly #work = new ProcessWork();
  /** Two at once could land in either order, and the elder would tell of fewer queues than the worker has. */
  readonly #beat = onceMore(() => this.#beatNow());
  #repeating: Repeating[] = [];
  #deafen: () => void = () => {};
  #disarm: () => void = () => {};
  #starting: Promise<void> | undefined;
  #self: WorkerRow | undefined;
  /** The others have taken its jobs back. Until it has another id it claims nothing: nobody would beat for that. */
  #isForgotten = false;
  #lastBeat = 0;
  #beating: Promise<void> | undefined;
  /** It has signed off: a beat that is still on its way must not bring it back. */
  #isClosed = false;

  constructor(options: HostOptions) {
    const { store, onError } = options;
    this.#options = options;
    this.#progress = new ProgressReports(options);
    this.#sweeper = new Sweeper(options);
    this.#modes = new SameMode({ store, onError, tell: () => this.#beat() });
    this.#promoter = new Promoter(store, onError);
    this.#promotions = new DueLoop(store.clock, () => this.#promoter.promoteDue(), onError);
    this.#scheduler = new DueLoop(store.clock, () => fireDue(store, onError), onError);
  }

  /** None while nobody can be sure of it: what it claimed then, the others would take back while it runs. */
  get id(): string | undefined {
    return this.#isSilent() ? undefined : this.#registeredId;
  }

  get #registeredId(): string | undefined {
    return this.#isForgotten ? undefined : this.#self?.id;
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
      workerId: () => this.id,
      mayClaim: () => this.#modes.mayClaim(queue.name),
      others: this.#loops,
      work: this.#work,
      checkpoint: (claim, cursor, writes) => checkpoint(store, claim, cursor, writes),
      progress: this.#progress,
    });
    if (queue.rules.fair) await store.shareOut(queue.name);
    this.#loops.add(loop);
    try {
      await this.#join();
      await this.#lookAtModes();
    } catch (error) {
      // Whoever is told that it failed has no handle to it: left here, it would claim once the store is back.
      await this.leave(loop);
      throw error;
    }
    loop.wake();
    return loop;
  }

  /** Everything is started by whoever comes first; who comes later has its queue told of, and its lease and sweep kept. */
  async #join(): Promise<void> {
    if (this.#starting) {
      await this.#starting;
      for (const one of this.#repeating) one.sooner();
      await this.#beat();
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
    await Promise.all([...this.#loops].map((loop) => loop.drain()));
    await Promise.all([this.#promotions.close(), this.#scheduler.close()]);
    await this.#promoter.close();
    this.#isClosed = true;
    this.#deafen();
    this.#disarm();
    for (const one of this.#repeating) one.stop();
    const id = this.#registeredId;
    if (!id) return;
    await this.#options.store.compact().catch(this.#options.onError);
    await this.#signOff(id);
  }

  async #signOff(id: string): Promise<void> {
    const { store, onError } = this.#options;
    await store.transaction("forget-worker", (tx) => tx.forgetWorker(id)).catch(onError);
  }

  /** Stops working one queue; the others go on. */
  async leave(loop: Loop): Promise<void> {
    await loop.drain();
    this.#loops.delete(loop);
    if (!this.#queues().includes(loop.queue)) this.#modes.forget(loop.queue.name);
  }

  async #start(): Promise<void> {
    const { store, operations, onError } = this.#options;
    await this.#register();
    const every = (ms: () => number, work: () => Promise<unknown>) => repeat(store.clock, ms, work, onError);
    this.#deafen = store.onSignal((signal) => this.#hear(signal));
    this.#repeating = [
      every(
        () => this.#lease() / BEATS_PER_LEASE,
        () => this.#beat(),
      ),
      every(
        () => this.#lookEvery(),
        () => this.#sweep(),
      ),
      every(
        () => LOOK_EVERY_MS,
        async () => {
          this.#wakeAll();
          await this.#lookAtModes();
        },
      ),
      every(
        () => COMPACT_EVERY_MS,
        () => store.compact(),
      ),
      every(
        () => PROGRESS_EVERY_MS,
        () => this.#progress.save(),
      ),
      every(
        () => PURGE_EVERY_MS,
        () => this.#purge(),
      ),
      every(
        () => operations.lookEvery,
        () => operations.look(),
      ),
    ];
    this.#promotions.look();
    this.#scheduler.look();
  }

  async #register(): Promise<void> {
    const { store } = this.#options;
    const startedAt = store.clock.now();
    const self = {
      id: newId(startedAt),
      host: hostname(),
      pid: process.pid,
      beat: 0,
      startedAt,
      ...this.#worked(),
    };
    this.#modes.beginAnew();
    await store.beat(self);
    if (this.#isClosed) return this.#signOff(self.id);
    this.#self = { ...self, beat: 1 };
    this.#isForgotten = false;
    this.#wasHeard();
  }

  async #lookAtModes(): Promise<void> {
    // Who looks before it has registered is not seen by those who look after it.
    if (this.#isForgotten) return;
    if (this.#self && (await this.#modes.look(this.#self, this.#queues()))) this.#wakeAll();
  }

  /** A worker that the others gave up, or that could not beat for a lease, has lost its jobs: it drops them and starts anew. */
  async #beatNow(): Promise<void> {
    if (!this.#self) return;
    const { store } = this.#options;
    this.#abortAfterSilence();
    const { known, cancels } = await store.beat({ ...this.#self, ...this.#worked() });
    // The answer itself may have taken a lease to come: meanwhile somebody else may have got the jobs.
    this.#abortAfterSilence();
    if (this.#isClosed) return;
    if (!known) {
      this.#isForgotten = true;
      this.#abortAll();
      await this.#register();
      this.#lookAtModes().catch(this.#options.onError);
      return;
    }
    const wasSilent = this.#isSilent();
    this.#wasHeard();
    if (wasSilent) this.#wakeAll();
    for (const { pos, fence } of cancels) for (const loop of this.#loops) loop.abort(pos, fence, "cancel");
  }

  /** A beat whose answer never comes tells nobody anything: the jobs are dropped when the lease is over, answer or not. */
  #wasHeard(): void {
    const { clock } = this.#options.store;
    this.#lastBeat = clock.monotonic();
    this.#disarm();
    this.#disarm = clock.after(this.#lease() + 1, () => this.#abortAfterSilence());
  }

  #abortAfterSilence(): void {
    if (this.#isSilent()) this.#abortAll();
  }

  /** Nobody has heard of it for a lease, as far as it knows. */
  #isSilent(): boolean {
    return this.#options.store.clock.monotonic() - this.#lastBeat > this.#lease();
  }

  #abortAll(): void {
    for (const loop of this.#loops) loop.abortAll("lost");
  }

  async #sweep(): Promise<void> {
    const holds = (row: RunningRow) => [...this.#loops].some((loop) => loop.holds(row.pos, row.fence));
    await this.#sweeper.sweep(this.#options.definitions, this.#lookEvery(), this.#self?.id ?? "", holds);
  }

  async #purge(): Promise<void> {
    for (const loop of this.#loops) await purge(this.#options.store, loop.queue);
  }

  #hear(signal: Signal): void {
    // There is work, and it may claim nothing before the others have heard of it: after a sleep of the machine, say.
    if (this.#isSilent()) this.#beatForWork();
    if (signal.kind === "any" || signal.kind === "timer") this.#promotions.look();
    if (signal.kind === "schedule") this.#scheduler.look();
    if (signal.kind === "operation") this.#options.operations.look().catch(this.#options.onError);
    if (signal.kind === "any") this.#wakeAll();
    if (signal.kind === "work")
      for (const loop of this.#loops) if (loop.queue.name === signal.queue) loop.wake();
    if (signal.kind === "cancel" && signal.worker === this.#self?.id)
      this.#beat().catch(this.#options.onError);
  }

  /** One for all the signals that come meanwhile, and one error where it fails. */
  #beatForWork(): void {
    this.#beating ??= this.#beat()
      .catch(this.#options.onError)
      .finally(() => {
        this.#beating = undefined;
      });
  }

  #wakeAll(): void {
    for (const loop of this.#loops) loop.wake();
  }

  #queues(): QueueDefinition[] {
    return [...this.#loops].map((loop) => loop.queue);
  }

  #worked(): Pick<WorkerRow, "queues" | "rules"> {
    const queues = this.#queues();
    return { queues: queues.map(({ name }) => name), rules: this.#modes.rulesOf(queues) };
  }

  #lookEvery(): number {
    const sweeps = [...this.#options.definitions.values()].map((queue) => queue.rules.sweep);
    return Math.min(...sweeps, SLOWEST_SWEEP_MS) / LOOKS_PER_SWEEP;
  }

  /** What the beat is for: the shortest lease of the queues that this process works. */
  #lease(): number {
    return Math.min(...[...this.#loops].map((loop) => loop.queue.rules.lease), SLOWEST_BEAT_LEASE_MS);
  }
}

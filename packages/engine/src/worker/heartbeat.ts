import { hostname } from "node:os";
import { SLOWEST_LOOK_MS } from "../housekeeping/watch.ts";
import { newId } from "../ids.ts";
import { OWN_VERSION } from "../own-version.ts";
import type { RunningRow, Store, WorkerRow } from "../ports/store.ts";
import { coalesce } from "./coalesce.ts";

/** Beats per lease: two may be late before the worker counts as dead. */
export const BEATS_PER_LEASE = 3;
/** A worker at rest that has missed two looks in a row may have been forgotten, so it beats before it claims. */
const SURE_FOR_MS = 2 * SLOWEST_LOOK_MS;

interface HeartbeatPorts {
  readonly store: Store;
  readonly onError: (error: unknown) => void;
  /** The shortest lease of the worker's queues, in milliseconds. */
  readonly lease: () => number;
  readonly worked: () => Pick<WorkerRow, "queues" | "rules">;
  /** Whether the store may have claims of this worker, or outcomes are still to be written. */
  readonly isAtWork: () => boolean;
  /** Drops the jobs: other workers may have them by now. */
  readonly drop: () => void;
  readonly cancel: (claim: RunningRow) => void;
  /** Called when the worker may claim again. */
  readonly wake: () => void;
  readonly beginAnew: () => void;
  /** Called when the worker has a new id. */
  readonly registered: () => void;
}

/**
 * The worker of a process as other processes see it: its row, and the beat that shows that it is alive.
 *
 * - at rest: it has no jobs, and its silence has no consequence. It does not beat, or seldom if beats are its only sign
 *   of life.
 * - at work: from the moment the first claim is sent, since that claim may be committed. It beats at once and every
 *   third of a lease; after a lease without an answer it drops its jobs and has no id, since others may have taken
 *   them.
 * - forgotten: its row is gone. It drops its jobs and registers with a new id; until then it has none.
 */
export class Heartbeat {
  readonly #ports: HeartbeatPorts;
  /** Two beats at once could be stored in either order, and the older one may have fewer queues than the worker. */
  readonly #beat = coalesce(() => this.#beatNow());
  #self: WorkerRow | undefined;
  #isForgotten = false;
  #isAtWork = false;
  #wasIdle = false;
  #heardAt = 0;
  #seenAt = 0;
  #beatenAt = 0;
  /** The queues and rules that its stored row has. */
  #told = "";
  #disarm: () => void = () => {};
  #beating: Promise<void> | undefined;
  /** It has signed off: a beat that is still under way must not insert its row again. */
  #isClosed = false;

  constructor(ports: HeartbeatPorts) {
    this.#ports = ports;
  }

  /** Undefined while others may count the worker as dead: they would take back a new claim while it runs. */
  get id(): string | undefined {
    return this.#isSilent() ? undefined : this.registeredId;
  }

  get registeredId(): string | undefined {
    return this.#isForgotten ? undefined : this.#self?.id;
  }

  get row(): WorkerRow | undefined {
    return this.#self;
  }

  beat(): Promise<void> {
    return this.#beat();
  }

  /** The first claim after a rest is about to be sent. */
  beginWork(): void {
    if (this.#isAtWork) return;
    this.#isAtWork = true;
    this.#wasHeard();
    this.#ports.store.signal({ kind: "busy" });
    this.beatSoon();
  }

  /**
   * Called every third of a lease. The worker rests only after two calls without work, since jobs may have pauses
   * between them.
   */
  async tick(): Promise<void> {
    if (this.#ports.isAtWork()) {
      this.#isAtWork = true;
      this.#wasIdle = false;
      return this.#beat();
    }
    if (!this.#isAtWork) return this.#beatAtRest();
    if (!this.#wasIdle) {
      this.#wasIdle = true;
      return this.#beat();
    }
    this.#wasIdle = false;
    this.#isAtWork = false;
    try {
      await this.#beat();
    } catch (error) {
      // Its stored row still says that it is at work, so others expect its beat.
      this.#isAtWork = true;
      throw error;
    }
  }

  /** Called after a look: whether the look found the worker's row. */
  async onLook(isKnown: boolean): Promise<void> {
    if (!isKnown && !this.#isForgotten) return this.#beat();
    if (isKnown) this.#seenAt = this.#ports.store.clock.monotonic();
  }

  /**
   * There is work, but a worker that was silent must beat before it claims, for example after a sleep of the machine.
   */
  onWorkSignal(): void {
    if (this.#isSilent()) this.beatSoon();
  }

  /** One beat for all calls during it, and one error if it fails. */
  beatSoon(): void {
    this.#beating ??= this.#beat()
      .catch(this.#ports.onError)
      .finally(() => {
        this.#beating = undefined;
      });
  }

  async register(): Promise<void> {
    const { store, worked, beginAnew, registered } = this.#ports;
    const startedAt = store.clock.now();
    const tells = worked();
    const self = {
      id: newId(startedAt),
      host: hostname(),
      pid: process.pid,
      beat: 0,
      beatAt: startedAt,
      version: OWN_VERSION,
      startedAt,
      atWork: false,
      ...tells,
    };
    beginAnew();
    await store.beat(self);
    if (this.#isClosed) return this.#signOff(self.id);
    this.#self = { ...self, beat: 1 };
    this.#told = JSON.stringify(tells);
    this.#isForgotten = false;
    this.#isAtWork = false;
    this.#wasHeard();
    registered();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#disarm();
    const id = this.registeredId;
    if (id) await this.#signOff(id);
  }

  async #signOff(id: string): Promise<void> {
    const { store, onError } = this.#ports;
    await store.transaction("forget-worker", (tx) => tx.forgetWorker(id)).catch(onError);
  }

  /** Beats if beats are its only sign of life, or if its stored queues and rules are out of date. */
  async #beatAtRest(): Promise<void> {
    const { restingBeatMs, clock } = this.#ports.store;
    const isDue = restingBeatMs !== null && clock.monotonic() - this.#beatenAt >= restingBeatMs;
    if (isDue || JSON.stringify(this.#ports.worked()) !== this.#told) await this.#beat();
  }

  /**
   * A worker that could not beat for a lease, or that others have forgotten, has lost its jobs: it drops them, and
   * registers again if it was forgotten.
   */
  async #beatNow(): Promise<void> {
    if (!this.#self) return;
    const { store, worked, drop, wake, cancel } = this.#ports;
    this.#dropAfterSilence();
    const tells = worked();
    const { known, cancels } = await store.beat({ ...this.#self, ...tells, atWork: this.#isAtWork });
    // The answer may have taken longer than a lease: others may have taken the jobs meanwhile.
    this.#dropAfterSilence();
    if (this.#isClosed) return;
    this.#beatenAt = store.clock.monotonic();
    if (!known) {
      this.#isForgotten = true;
      drop();
      return this.register();
    }
    this.#told = JSON.stringify(tells);
    const wasSilent = this.#isSilent();
    this.#wasHeard();
    if (wasSilent) wake();
    for (const claim of cancels) cancel(claim);
  }

  /** A beat may never be answered: the jobs are dropped when the lease is over, with or without an answer. */
  #wasHeard(): void {
    const { store, lease } = this.#ports;
    this.#heardAt = store.clock.monotonic();
    this.#disarm();
    this.#disarm = store.clock.after(lease() + 1, () => this.#dropAfterSilence());
  }

  #dropAfterSilence(): void {
    if (this.#isAtWork && this.#isSilent()) this.#ports.drop();
  }

  /** Whether, as far as it knows, others have had no sign of life from it for too long. */
  #isSilent(): boolean {
    const now = this.#ports.store.clock.monotonic();
    if (this.#isAtWork) return now - this.#heardAt > this.#ports.lease();
    return now - Math.max(this.#heardAt, this.#seenAt) > SURE_FOR_MS;
  }
}

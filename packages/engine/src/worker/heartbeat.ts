import { hostname } from "node:os";
import { SLOWEST_LOOK_MS } from "../housekeeping/watch.ts";
import { newId } from "../ids.ts";
import { OWN_VERSION } from "../own-version.ts";
import type { RunningRow, Store, WorkerRow } from "../ports/store.ts";
import { coalesce } from "./coalesce.ts";

/** Beats per lease: two may be late before anybody calls the worker dead. */
export const BEATS_PER_LEASE = 3;
/** A worker at rest that could not look twice in a row may have been forgotten: it beats before it claims. */
const SURE_FOR_MS = 2 * SLOWEST_LOOK_MS;

interface HeartbeatPorts {
  readonly store: Store;
  readonly onError: (error: unknown) => void;
  /** What the beat is for, in milliseconds. */
  readonly lease: () => number;
  readonly worked: () => Pick<WorkerRow, "queues" | "rules">;
  /** Whether the store may have claims of this worker, or outcomes are still to be written. */
  readonly isAtWork: () => boolean;
  /** The jobs are somebody else's by now. */
  readonly drop: () => void;
  readonly cancel: (claim: RunningRow) => void;
  /** It may claim again. */
  readonly wake: () => void;
  readonly beginAnew: () => void;
  /** It has another id. */
  readonly registered: () => void;
}

/**
 * The worker of a process as the others know it: its row, and the beat that tells them that it lives.
 *
 * - at rest: nothing is at work, and nobody minds silence. It does not beat, or rarely where nothing else tells that it lives.
 * - at work: from the moment the first claim is sent, since that may be committed. It beats at once and every third of a
 *   lease; after a lease without an answer it drops its jobs and has no id, since the others may have taken them.
 * - forgotten: its row is gone. It drops its jobs and registers under another id; until then it has none.
 */
export class Heartbeat {
  readonly #ports: HeartbeatPorts;
  /** Two at once could land in either order, and the elder would tell of fewer queues than the worker has. */
  readonly #beat = coalesce(() => this.#beatNow());
  #self: WorkerRow | undefined;
  #isForgotten = false;
  #isAtWork = false;
  #wasIdle = false;
  #heardAt = 0;
  #seenAt = 0;
  #beatenAt = 0;
  /** What the others know of the queues that it works. */
  #told = "";
  #disarm: () => void = () => {};
  #beating: Promise<void> | undefined;
  /** It has signed off: a beat that is still on its way must not bring it back. */
  #isClosed = false;

  constructor(ports: HeartbeatPorts) {
    this.#ports = ports;
  }

  /** None while nobody can be sure of it: what it claimed then, the others would take back while it runs. */
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

  /** Every third of a lease. A pause between two jobs is no rest yet. */
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
      // The others still believe that it is at work, and wait for its beat.
      this.#isAtWork = true;
      throw error;
    }
  }

  /** A look found its row, or did not. */
  async wasSeen(isKnown: boolean): Promise<void> {
    if (!isKnown && !this.#isForgotten) return this.#beat();
    if (isKnown) this.#seenAt = this.#ports.store.clock.monotonic();
  }

  /** There is work, and it may claim nothing before the others have heard of it: after a sleep of the machine, say. */
  hearOfWork(): void {
    if (this.#isSilent()) this.beatSoon();
  }

  /** One for all who ask meanwhile, and one error where it fails. */
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

  /** Where only its beats tell that it lives, and where the others do not know yet what it works. */
  async #beatAtRest(): Promise<void> {
    const { restingBeatMs, clock } = this.#ports.store;
    const isDue = restingBeatMs !== null && clock.monotonic() - this.#beatenAt >= restingBeatMs;
    if (isDue || JSON.stringify(this.#ports.worked()) !== this.#told) await this.#beat();
  }

  /** A worker that the others gave up, or that could not beat for a lease, has lost its jobs: it drops them and starts anew. */
  async #beatNow(): Promise<void> {
    if (!this.#self) return;
    const { store, worked, drop, wake, cancel } = this.#ports;
    this.#dropAfterSilence();
    const tells = worked();
    const { known, cancels } = await store.beat({ ...this.#self, ...tells, atWork: this.#isAtWork });
    // The answer itself may have taken a lease to come: meanwhile somebody else may have got the jobs.
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

  /** A beat whose answer never comes tells nobody anything: the jobs are dropped when the lease is over, answer or not. */
  #wasHeard(): void {
    const { store, lease } = this.#ports;
    this.#heardAt = store.clock.monotonic();
    this.#disarm();
    this.#disarm = store.clock.after(lease() + 1, () => this.#dropAfterSilence());
  }

  #dropAfterSilence(): void {
    if (this.#isAtWork && this.#isSilent()) this.#ports.drop();
  }

  /** As far as it knows, nobody has heard of it for too long. */
  #isSilent(): boolean {
    const now = this.#ports.store.clock.monotonic();
    if (this.#isAtWork) return now - this.#heardAt > this.#ports.lease();
    return now - Math.max(this.#heardAt, this.#seenAt) > SURE_FOR_MS;
  }
}

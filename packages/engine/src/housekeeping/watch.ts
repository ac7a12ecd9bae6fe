import type { Random } from "../ports/random.ts";
import type { FleetState, FleetStateRequest, Store } from "../ports/store.ts";
import { coalesce } from "../worker/coalesce.ts";
import { type Repeating, repeat } from "../worker/repeat.ts";

/** While nothing happens in the fleet: with the jitter 7 s on average, so 0.14 statements per second and process. */
const IDLE_LOOK_MS = 6_000;
const IDLE_JITTER_MS = 2_000;
export const SLOWEST_LOOK_MS = IDLE_LOOK_MS + IDLE_JITTER_MS;
/** How long looks stay frequent after the last sign of work. */
const ALERT_FOR_MS = 12_000;
/** Processes do not see the last sign of work at the same moment: who holds the post may be at rest by then. */
const SIGNS_APART_MS = 4_000;
/** Somebody else was to do what is due, and gets this long before it is looked after. */
const LATE_MS = 1_500;

interface WatchPorts {
  readonly store: Store;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
  /** What is asked; undefined while there is nobody to ask for. */
  readonly request: () => FleetStateRequest | undefined;
  /** How long apart looks are while there is work. */
  readonly every: () => number;
  /** Whether this process has reasons of its own to look often. */
  readonly isBusy: () => boolean;
  readonly heed: (look: FleetState) => Promise<void>;
}

/**
 * The one look that a process takes at the store, for all its queues together, in one statement that only reads. It finds
 * what a lost signal did not tell, sees whether there is a housekeeper, and sets the clock. It is rare while the fleet is idle;
 * signals, and what it finds, make it frequent.
 */
export class Watch {
  readonly #ports: WatchPorts;
  readonly #look = coalesce(() => this.#lookNow());
  #repeating: Repeating | undefined;
  #isStopped = false;
  #alertUntil = 0;
  /** When something is due that another process is to do. */
  #dueIn = Number.POSITIVE_INFINITY;

  constructor(ports: WatchPorts) {
    this.#ports = ports;
  }

  start(): void {
    const { store, onError } = this.#ports;
    this.#repeating = repeat(
      store.clock,
      () => this.#pause(),
      () => this.#look(),
      onError,
    );
    this.alert();
  }

  /** What a look that is under way finds is not heeded any more. */
  stop(): void {
    this.#isStopped = true;
    this.#repeating?.stop();
  }

  get isAlert(): boolean {
    return this.#ports.store.clock.monotonic() < this.#alertUntil;
  }

  /** Every process is alert, since the last sign of work is not long ago. */
  get areAllAlert(): boolean {
    return this.#ports.store.clock.monotonic() < this.#alertUntil - SIGNS_APART_MS;
  }

  /** There is work, or will be soon. */
  alert(): void {
    const wasAlert = this.isAlert;
    this.#alertUntil = this.#ports.store.clock.monotonic() + ALERT_FOR_MS;
    if (!wasAlert) this.#repeating?.sooner();
  }

  /** Whoever asks is answered by a look that began after that. */
  look(): Promise<void> {
    return this.#look();
  }

  #pause(): number {
    const { every, random } = this.#ports;
    if (this.isAlert) return every();
    const pause = IDLE_LOOK_MS + IDLE_JITTER_MS * random.next();
    return Math.max(every(), Math.min(pause, this.#dueIn + LATE_MS));
  }

  async #lookNow(): Promise<void> {
    const { store, request, isBusy, heed } = this.#ports;
    const asked = request();
    if (!asked) return;
    const look = await store.look(asked);
    if (this.#isStopped) return;
    const due = Math.min(
      look.nextTimer ?? Number.POSITIVE_INFINITY,
      look.nextSchedule ?? Number.POSITIVE_INFINITY,
      look.nextDecision ?? Number.POSITIVE_INFINITY,
    );
    this.#dueIn = Math.max(0, due - store.clock.now());
    if (isBusy() || hasWork(look, store.clock.now())) this.alert();
    await heed(look);
  }
}

/** Whether there is something that a housekeeper is needed for, or that somebody is to claim. */
function hasWork(look: FleetState, now: number): boolean {
  const isLate = (at: number | null) => at !== null && at + LATE_MS <= now;
  return (
    look.isRunning ||
    look.hasTallies ||
    look.hasOperations ||
    look.ready.length > 0 ||
    isLate(look.nextTimer) ||
    isLate(look.nextSchedule) ||
    isLate(look.nextDecision)
  );
}

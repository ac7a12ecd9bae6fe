import type { Random } from "../ports/random.ts";
import type { FleetState, FleetStateRequest, Store } from "../ports/store.ts";
import { coalesce } from "../worker/coalesce.ts";
import { type Repeating, repeat } from "../worker/repeat.ts";

/**
 * The time between looks while the fleet is idle: with the jitter 7 s on average, so 0.14 statements per second and
 * process.
 */
const IDLE_LOOK_MS = 6_000;
const IDLE_JITTER_MS = 2_000;
export const SLOWEST_LOOK_MS = IDLE_LOOK_MS + IDLE_JITTER_MS;
/** How long looks stay frequent after the last sign of work. */
const ALERT_FOR_MS = 12_000;
/**
 * Processes see the last sign of work at different moments, so the holder of the post may come to rest this much
 * earlier.
 */
const SIGNS_APART_MS = 4_000;
/** How late another process may be with work that is due before this process looks after it. */
const LATE_MS = 1_500;

interface WatchPorts {
  readonly store: Store;
  readonly random: Random;
  readonly onError: (error: unknown) => void;
  /** The request of the next look; undefined while no worker is registered. */
  readonly request: () => FleetStateRequest | undefined;
  /** The time between looks while there is work, in milliseconds. */
  readonly every: () => number;
  /** Whether this process has reasons of its own to look often. */
  readonly isBusy: () => boolean;
  readonly applyLook: (look: FleetState) => Promise<void>;
}

/**
 * Polls the store for a whole process: one read-only statement for all its queues, called a look. A look finds work
 * whose signal was lost, reads the housekeeper's post, and sets the clock. Looks are rare while the fleet is idle;
 * signals, and the work that looks find, make them frequent.
 */
export class Watch {
  readonly #ports: WatchPorts;
  readonly #look = coalesce(() => this.#lookNow());
  #repeating: Repeating | undefined;
  #isStopped = false;
  #alertUntil = 0;
  /** The milliseconds until something is due that another process has to do. */
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

  /** The result of a look under way is ignored. */
  stop(): void {
    this.#isStopped = true;
    this.#repeating?.stop();
  }

  get isAlert(): boolean {
    return this.#ports.store.clock.monotonic() < this.#alertUntil;
  }

  /** Whether every process must be alert, since the last sign of work is recent. */
  get areAllAlert(): boolean {
    return this.#ports.store.clock.monotonic() < this.#alertUntil - SIGNS_APART_MS;
  }

  /** Makes looks frequent: there is work, or there will be soon. */
  alert(): void {
    const wasAlert = this.isAlert;
    this.#alertUntil = this.#ports.store.clock.monotonic() + ALERT_FOR_MS;
    if (!wasAlert) this.#repeating?.sooner();
  }

  /** Resolves when a look that began after this call has ended. */
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
    const { store, request, isBusy, applyLook } = this.#ports;
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
    await applyLook(look);
  }
}

/** Whether there is work for a housekeeper, or a job to claim. */
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

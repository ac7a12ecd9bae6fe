import type { QueueRules } from "@andon/contract";
import type { Clock } from "../ports/clock.ts";
import type { Claim } from "../ports/store.ts";
import type { Execution } from "./execution.ts";
import type { ProcessWork } from "./process-work.ts";

/** How long one that finds others at work goes back in line; longer where many wait, since each of them claims in vain. */
const PUT_OFF_MS = 1_000;
const PUT_OFF_MS_PER_OTHER = 100;
const LONGEST_PUT_OFF_MS = 10_000;
/** Going back costs a start of the queue's rate: no more than this share of them. */
const SHARE_OF_RATE = 0.1;
/** How long one waits for a process that has nothing else to do, before a process stops claiming for it. */
const PATIENCE_MS = 60_000;
/** How long a process stops claiming for it; then it goes back, and waits twice as long. */
const LONGEST_HOLD_MS = 60_000;
/** One that was not seen here for so long runs elsewhere, or has ended. */
const FORGET_AFTER_MS = 600_000;

interface SuspectPorts {
  readonly clock: Clock;
  readonly rules: QueueRules;
  readonly places: number;
  readonly work: ProcessWork;
  isAtWork(pos: number): boolean;
  isDraining(): boolean;
  run(execution: Execution): void;
  /** Gives the claim back for a while, as if it had not been made; ends when that is written. */
  putOff(execution: Execution, ms: number): Promise<void>;
  /** The process claims again. */
  goOn(): void;
}

interface Wait {
  since: number;
  seen: number;
  patience: number;
}

/**
 * Jobs that were lost with their workers nearly as often as they may be. One of them may be what kills the workers, and
 * the others were only near it. So a job that two more losses would fail as STALLED runs beside no other suspect, and one
 * that the next loss would fail runs alone in its process. Nobody stops for that: whoever finds the wrong company goes back
 * in line for a second, and the one that may run starts when the others are back. Only for one that has found nothing else
 * in a minute, a process stops claiming until it is free.
 *
 * A worker with one place has no choice: its suspects do not wait, but others keep away from them.
 */
export class Suspects {
  readonly #ports: SuspectPorts;
  readonly #waits = new Map<number, Wait>();
  #arrived: Execution[] = [];
  #stopHold: () => void = () => {};

  constructor(ports: SuspectPorts) {
    this.#ports = ports;
  }

  isSuspect({ stalled }: Claim): boolean {
    return stalled > 0 && stalled >= this.#ports.rules.maxStalled - 1;
  }

  #mustBeAlone({ stalled }: Claim): boolean {
    return stalled >= this.#ports.rules.maxStalled;
  }

  /** It is seated once all that were claimed with it have started. */
  arrive(execution: Execution): void {
    this.#arrived.push(execution);
  }

  seat(): void {
    if (this.#arrived.length === 0) return;
    const { places, work, run, isAtWork } = this.#ports;
    for (const execution of this.#arrived.splice(0)) {
      const { claim } = execution;
      if (isAtWork(claim.pos)) this.#putOff(execution);
      else if (places === 1) run(execution);
      else if (this.#mayStart(claim)) this.#take(execution);
      else if (this.#mayHold(claim)) this.#hold(execution);
      else this.#putOff(execution);
    }
    work.startSeated();
  }

  #mayStart(claim: Claim): boolean {
    const { work } = this.#ports;
    if (work.seat || work.suspects.size > 0) return false;
    return !this.#mustBeAlone(claim) || work.busy === 0;
  }

  #mayHold(claim: Claim): boolean {
    const { work, clock, isDraining } = this.#ports;
    const wait = this.#waits.get(claim.pos);
    if (!wait || work.seat || isDraining() || !this.#mustBeAlone(claim)) return false;
    return clock.monotonic() - wait.since >= wait.patience;
  }

  #take(execution: Execution): void {
    const { work, run } = this.#ports;
    const start = () => {
      this.#stopHold();
      this.#waits.delete(execution.claim.pos);
      run(execution);
    };
    work.seat = { execution, start, isAlone: this.#mustBeAlone(execution.claim), hasStarted: false };
  }

  /** Its claim is kept, and no loop of this process claims until it has run. */
  #hold(execution: Execution): void {
    const { clock } = this.#ports;
    this.#take(execution);
    this.#stopHold = clock.after(LONGEST_HOLD_MS, () => {
      const wait = this.#waits.get(execution.claim.pos);
      if (wait) Object.assign(wait, { since: clock.monotonic(), patience: wait.patience * 2 });
      this.release(execution);
    });
  }

  #putOff(execution: Execution): void {
    const { clock, work, putOff } = this.#ports;
    const now = clock.monotonic();
    const { pos } = execution.claim;
    for (const [other, { seen }] of this.#waits) if (now - seen > FORGET_AFTER_MS) this.#waits.delete(other);
    const wait = this.#waits.get(pos);
    if (wait) wait.seen = now;
    else this.#waits.set(pos, { since: now, seen: now, patience: PATIENCE_MS });
    work.puttingOff++;
    void putOff(execution, this.#putOffMs()).finally(() => {
      work.puttingOff--;
      work.startSeated();
    });
  }

  #putOffMs(): number {
    const { limiter } = this.#ports.rules;
    const crowded = PUT_OFF_MS + PUT_OFF_MS_PER_OTHER * (this.#waits.size - 1);
    const perStart = limiter ? limiter.duration / limiter.max / SHARE_OF_RATE : 0;
    return Math.round(Math.max(Math.min(crowded, LONGEST_PUT_OFF_MS), perStart));
  }

  /** It goes back in line where it has not started yet: it is no longer wanted here. */
  release(execution: Execution): void {
    if (this.#letGo(execution)) this.#putOff(execution);
  }

  /** Its claim is lost. */
  forget(execution: Execution): void {
    this.#letGo(execution);
  }

  #letGo(execution: Execution): boolean {
    const { seat } = this.#ports.work;
    if (seat?.execution !== execution || seat.hasStarted) return false;
    this.#stopHold();
    this.#leaveSeat();
    return true;
  }

  /** Its place is free. */
  left(execution: Execution): void {
    const { work } = this.#ports;
    work.suspects.delete(execution);
    if (work.seat?.execution === execution) this.#leaveSeat();
  }

  #leaveSeat(): void {
    const { work, goOn } = this.#ports;
    const wasReserved = work.isReserved;
    work.seat = undefined;
    if (wasReserved) goOn();
  }
}

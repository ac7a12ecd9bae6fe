import type { QueueRules } from "@andon/contract";
import type { Clock } from "../ports/clock.ts";
import type { Claim } from "../ports/store.ts";
import type { Execution } from "./execution.ts";
import type { ProcessWork } from "./process-work.ts";

/** How long a suspect that may not start is postponed; longer if many wait, since each of them is claimed in vain. */
const PUT_OFF_MS = 1_000;
const PUT_OFF_MS_PER_OTHER = 100;
const LONGEST_PUT_OFF_MS = 10_000;
/** Every postponed claim counts as a start in the queue's rate: at most this share of the starts is used for them. */
const SHARE_OF_RATE = 0.1;
/** How long a suspect waits for an idle process, before a process stops claiming for it. */
const PATIENCE_MS = 60_000;
/**
 * How long a process stops claiming for a suspect; then the suspect is postponed, and its next wait is twice as long.
 */
const LONGEST_HOLD_MS = 60_000;
/** A suspect that was not seen in this process for this long runs elsewhere, or has ended. */
const FORGET_AFTER_MS = 600_000;

interface SuspectPorts {
  readonly clock: Clock;
  readonly rules: QueueRules;
  readonly places: number;
  readonly work: ProcessWork;
  isAtWork(pos: number): boolean;
  isDraining(): boolean;
  run(execution: Execution): void;
  /** Postpones the claim, as if it had not been made; resolves when that is written. */
  putOff(execution: Execution, ms: number): Promise<void>;
  /** Makes the process claim again. */
  goOn(): void;
}

interface Wait {
  since: number;
  seen: number;
  patience: number;
}

/**
 * Suspects are jobs that were lost with their workers nearly as often as the rules allow. One of them may be what kills
 * the workers, and the others only ran in the same process. So a job that two more losses would fail as STALLED runs
 * beside no other suspect, and a job that the next loss would fail runs alone in its process. A process does not stop
 * claiming for that: a suspect that may not start beside the jobs at work is postponed for a second, and a suspect that
 * may start does so when the claims of the others are given back. Only for a suspect that has waited a minute, a
 * process stops claiming until no other job runs.
 *
 * In a loop with one place suspects start at once; suspects of other loops still wait for them.
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

  /** Adds a suspect. `admitSuspects` decides about it once the jobs that were claimed with it have started. */
  arrive(execution: Execution): void {
    this.#arrived.push(execution);
  }

  admitSuspects(): void {
    if (this.#arrived.length === 0) return;
    const { places, work, run, isAtWork } = this.#ports;
    for (const execution of this.#arrived.splice(0)) {
      const { claim } = execution;
      if (isAtWork(claim.pos)) this.#putOff(execution);
      else if (places === 1) run(execution);
      else if (this.#mayStart(claim)) this.#admit(execution);
      else if (this.#mayHold(claim)) this.#hold(execution);
      else this.#putOff(execution);
    }
    work.startAdmitted();
  }

  #mayStart(claim: Claim): boolean {
    const { work } = this.#ports;
    if (work.admitted || work.suspects.size > 0) return false;
    return !this.#mustBeAlone(claim) || work.busy === 0;
  }

  #mayHold(claim: Claim): boolean {
    const { work, clock, isDraining } = this.#ports;
    const wait = this.#waits.get(claim.pos);
    if (!wait || work.admitted || isDraining() || !this.#mustBeAlone(claim)) return false;
    return clock.monotonic() - wait.since >= wait.patience;
  }

  #admit(execution: Execution): void {
    const { work, run } = this.#ports;
    const start = () => {
      this.#stopHold();
      this.#waits.delete(execution.claim.pos);
      run(execution);
    };
    work.admitted = { execution, start, isAlone: this.#mustBeAlone(execution.claim), hasStarted: false };
  }

  /** Keeps its claim; no loop of this process claims until it has run. */
  #hold(execution: Execution): void {
    const { clock } = this.#ports;
    this.#admit(execution);
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
      work.startAdmitted();
    });
  }

  #putOffMs(): number {
    const { limiter } = this.#ports.rules;
    const crowded = PUT_OFF_MS + PUT_OFF_MS_PER_OTHER * (this.#waits.size - 1);
    const perStart = limiter ? limiter.duration / limiter.max / SHARE_OF_RATE : 0;
    return Math.round(Math.max(Math.min(crowded, LONGEST_PUT_OFF_MS), perStart));
  }

  /** Postpones a suspect that has not started yet, since it is no longer to run here. */
  release(execution: Execution): void {
    if (this.#letGo(execution)) this.#putOff(execution);
  }

  /** Removes a suspect whose claim is lost. */
  forget(execution: Execution): void {
    this.#letGo(execution);
  }

  #letGo(execution: Execution): boolean {
    const { admitted } = this.#ports.work;
    if (admitted?.execution !== execution || admitted.hasStarted) return false;
    this.#stopHold();
    this.#clearAdmitted();
    return true;
  }

  /** Called when a suspect has left its place. */
  left(execution: Execution): void {
    const { work } = this.#ports;
    work.suspects.delete(execution);
    if (work.admitted?.execution === execution) this.#clearAdmitted();
  }

  #clearAdmitted(): void {
    const { work, goOn } = this.#ports;
    const wasReserved = work.isReserved;
    work.admitted = undefined;
    if (wasReserved) goOn();
  }
}

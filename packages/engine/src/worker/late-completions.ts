import type { Clock } from "../ports/clock.ts";
import type { Completion } from "../ports/store.ts";
import { sleep } from "./sleep.ts";

const MOST_AT_ONCE = 2;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
/**
 * After a request has found a lane locked, this many further completions of the lane are written here without a
 * request: if others add to the lane all the time, a request would find it locked again.
 */
const LATE_IN_A_ROW = 8;
const MOST_CONTENDED = 1_000;

export interface LateCompletionPorts {
  readonly clock: Clock;
  /** False if the lane is still locked. Never throws. */
  write(completion: Completion): Promise<boolean>;
}

interface Late {
  readonly completion: Completion;
  pauseMs: number;
}

/**
 * Completions that a request had to leave out, because another transaction had locked their lanes. Each is written by
 * itself, two at a time, with growing pauses, so that they delay neither each other nor the requests of the other
 * lanes.
 */
export class LateCompletions {
  readonly #ports: LateCompletionPorts;
  readonly #waiting: Late[] = [];
  readonly #contended = new Map<string, number>();
  #writing = 0;
  #pausing = 0;

  constructor(ports: LateCompletionPorts) {
    this.#ports = ports;
  }

  get isEmpty(): boolean {
    return this.#waiting.length === 0 && this.#writing === 0 && this.#pausing === 0;
  }

  /** How many writes are under way. */
  get writing(): number {
    return this.#writing;
  }

  /** Takes completions whose lanes a request found locked. */
  defer(completions: readonly Completion[]): void {
    // Lanes without further jobs would remain in the map; if a lane is still locked, a request finds that again.
    if (this.#contended.size > MOST_CONTENDED) this.#contended.clear();
    for (const { lanes } of completions) for (const lane of lanes) this.#contended.set(lane, LATE_IN_A_ROW);
    for (const completion of completions) this.#add(completion);
  }

  /** Takes a completion if its lane was found locked a moment ago; false if a request has to write it. */
  takes(completion: Completion): boolean {
    if (this.#contended.size === 0 || !completion.lanes.some((key) => this.#contended.has(key))) return false;
    for (const key of completion.lanes) {
      const left = (this.#contended.get(key) ?? 1) - 1;
      if (left > 0) this.#contended.set(key, left);
      else this.#contended.delete(key);
    }
    this.#add(completion);
    return true;
  }

  #add(completion: Completion): void {
    this.#waiting.push({ completion, pauseMs: FIRST_PAUSE_MS });
    this.#start();
  }

  #start(): void {
    while (this.#writing < MOST_AT_ONCE) {
      const next = this.#waiting.shift();
      if (!next) return;
      void this.#write(next);
    }
  }

  async #write(late: Late): Promise<void> {
    this.#writing++;
    const isWritten = await this.#ports.write(late.completion).finally(() => {
      this.#writing--;
    });
    if (!isWritten) void this.#pause(late);
    this.#start();
  }

  async #pause(late: Late): Promise<void> {
    this.#pausing++;
    await sleep(this.#ports.clock, late.pauseMs);
    this.#pausing--;
    late.pauseMs = Math.min(late.pauseMs * 2, LONGEST_PAUSE_MS);
    this.#waiting.push(late);
    this.#start();
  }
}

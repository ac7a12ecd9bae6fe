import type { Clock } from "../ports/clock.ts";
import type { Completion } from "../ports/store.ts";
import { sleep } from "./sleep.ts";

const MOST_AT_ONCE = 2;
const FIRST_PAUSE_MS = 10;
const LONGEST_PAUSE_MS = 250;
/** A write that took longer has waited for its lane: others add to it all the time, and a turn would miss it again. */
const WAITED_MS = 3;
const MOST_CONTENDED = 1_000;

export interface LateCompletionPorts {
  readonly clock: Clock;
  /** False where the lane is still locked. Never throws. */
  write(completion: Completion): Promise<boolean>;
}

interface Late {
  readonly completion: Completion;
  pauseMs: number;
}

/**
 * Completions that a turn had to leave out, because somebody else had their lanes locked. Each is written by itself, two at a
 * time, with growing pauses, so that they hold up neither each other nor the turns of the other lanes.
 */
export class LateCompletions {
  readonly #ports: LateCompletionPorts;
  readonly #waiting: Late[] = [];
  readonly #contended = new Set<string>();
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

  /** Whether the last completion of one of these lanes had to wait: then the next need not try a turn first. */
  isContended(keys: readonly string[]): boolean {
    return this.#contended.size > 0 && keys.some((key) => this.#contended.has(key));
  }

  add(completions: readonly Completion[]): void {
    for (const completion of completions) this.#waiting.push({ completion, pauseMs: FIRST_PAUSE_MS });
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
    const { clock, write } = this.#ports;
    const begun = clock.monotonic();
    this.#writing++;
    const isWritten = await write(late.completion).finally(() => {
      this.#writing--;
    });
    this.#learn(late.completion.keys, clock.monotonic() - begun > WAITED_MS);
    if (!isWritten) void this.#pause(late);
    this.#start();
  }

  #learn(keys: readonly string[], hasWaited: boolean): void {
    for (const key of keys) {
      if (hasWaited && this.#contended.size < MOST_CONTENDED) this.#contended.add(key);
      else this.#contended.delete(key);
    }
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

import type { Claim, Store } from "../ports/store.ts";
import { Recorder } from "./histogram.ts";
import { MINUTE_MS, stepOf } from "./steps.ts";

interface Measured {
  readonly queue: string;
  /** When the minute began. */
  readonly at: number;
  readonly waits: Recorder;
  readonly runs: Recorder;
}

/**
 * How long jobs of this process waited and ran, by queue and minute, since the last write. Counts are not kept here, so
 * a process that is killed loses only its last times.
 */
export class MeasuredTimes {
  readonly #store: Pick<Store, "saveTimes" | "clock">;
  #measured = new Map<string, Measured>();
  #last: Measured | undefined;

  constructor({ store }: { store: Pick<Store, "saveTimes" | "clock"> }) {
    this.#store = store;
  }

  get isEmpty(): boolean {
    return this.#measured.size === 0;
  }

  /** Only the first start of a job ends its wait; a retry waits for its back-off. */
  started({ fence, job }: Claim): void {
    if (fence !== 1 || job.startedAt === null) return;
    const since = Math.max(job.createdAt, job.runAt ?? 0);
    this.#of(job.queue).waits.record(job.startedAt - since);
  }

  ended({ job }: Claim, ms: number): void {
    this.#of(job.queue).runs.record(ms);
  }

  /** Times that could not be written are kept for the next save. */
  async save(): Promise<void> {
    if (this.isEmpty) return;
    const measured = this.#measured;
    this.#measured = new Map();
    this.#last = undefined;
    const rows = [...measured.values()].map(({ queue, at, waits, runs }) => ({
      queue,
      at,
      waits: waits.text(),
      runs: runs.text(),
    }));
    try {
      await this.#store.saveTimes(rows);
    } catch (error) {
      // Newer times of the same minute stay in an entry of their own: the merge adds both.
      for (const [key, times] of measured)
        this.#measured.set(this.#measured.has(key) ? `${key} again` : key, times);
      throw error;
    }
  }

  /** Called twice per job, mostly for the same queue and minute as the last call. */
  #of(queue: string): Measured {
    const now = this.#store.clock.now();
    const last = this.#last;
    if (last && last.queue === queue && now >= last.at && now < last.at + MINUTE_MS) return last;
    const at = stepOf(now, MINUTE_MS);
    const key = `${at} ${queue}`;
    let measured = this.#measured.get(key);
    if (!measured) {
      measured = { queue, at, waits: new Recorder(), runs: new Recorder() };
      this.#measured.set(key, measured);
    }
    this.#last = measured;
    return measured;
  }
}

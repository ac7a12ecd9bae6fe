import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@andon/engine";

/** The interval between two polls, and the largest error of the measured times. */
const LOOK_MS = 2;

/** When the chunks of one job were committed and when the job ended, as another process sees it in the database. */
export class ChunkWatch {
  readonly #store: Store;
  readonly #id: string;
  readonly #chunkSize: number;
  /** By `performance.now()`. */
  readonly #commits: number[] = [];
  readonly ended: Promise<number>;
  #isEnded = false;

  constructor(store: Store, id: string, chunkSize: number) {
    this.#store = store;
    this.#id = id;
    this.#chunkSize = chunkSize;
    this.ended = this.#look().finally(() => {
      this.#isEnded = true;
    });
  }

  /** Waits until this many chunks are committed; returns the duration of the last of them. */
  async committed(count: number): Promise<number> {
    while (this.#commits.length < count && !this.#isEnded) await sleep(LOOK_MS);
    return this.#chunk(this.#commits.length - 1);
  }

  /** The duration of the chunk that was running at this time: from the previous commit to its own. */
  chunkAt(time: number): number {
    const own = this.#commits.findIndex((commit) => commit > time);
    return this.#chunk(own > 0 ? own : this.#commits.length - 1);
  }

  #chunk(index: number): number {
    return (this.#commits[index] ?? Number.NaN) - (this.#commits[index - 1] ?? Number.NaN);
  }

  async #look(): Promise<number> {
    for (let before = performance.now(), seen = 0; ; ) {
      const [row] = await this.#store.query<{ state: string; processed: number | null }>(
        "select j.state, b.processed from andon_jobs j left join andon_bulk b on b.pos = j.pos where j.id = $1",
        [this.#id],
      );
      const now = performance.now();
      const chunks = Math.ceil(Number(row?.processed ?? 0) / this.#chunkSize);
      // Commits that fall between two polls are placed at even distances.
      for (let n = 1; n <= chunks - seen; n++)
        this.#commits.push(before + ((now - before) * n) / (chunks - seen));
      if (chunks > seen) before = now;
      seen = chunks;
      if (row?.state !== "open") return now;
      await sleep(LOOK_MS);
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import type { Store } from "@andon/engine";

/** As far apart as two looks are, as wrong the times may be. */
const LOOK_MS = 2;

/** When the chunks of one job were committed and when it ended, as another process sees them in the database. */
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

  /** Waits until so many chunks are committed; returns how long the last of them took. */
  async committed(count: number): Promise<number> {
    while (this.#commits.length < count && !this.#isEnded) await sleep(LOOK_MS);
    return this.#chunk(this.#commits.length - 1);
  }

  /** How long the chunk took that was under way at this time: from the commit before it to its own. */
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
      // Commits that one look has missed are put at even distances.
      for (let n = 1; n <= chunks - seen; n++)
        this.#commits.push(before + ((now - before) * n) / (chunks - seen));
      if (chunks > seen) before = now;
      seen = chunks;
      if (row?.state !== "open") return now;
      await sleep(LOOK_MS);
    }
  }
}

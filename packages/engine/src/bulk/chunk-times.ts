const MOST_KEPT = 200;
const WINDOW_MS = 30_000;
const LONGEST_OF = 10;

interface Done {
  readonly at: number;
  readonly items: number;
  readonly ms: number;
}

/** The durations of a walk's last chunks: they give its rate, and how long the next chunk may take. */
export class ChunkTimes {
  #done: Done[] = [];

  add(done: Done): void {
    this.#done.push(done);
    const from = done.at - WINDOW_MS;
    // The last LONGEST_OF are kept however old they are: `longestWith` reads them, and a rate needs two.
    while (
      this.#done.length > MOST_KEPT ||
      (this.#done.length > LONGEST_OF && (this.#done[0] as Done).at < from)
    )
      this.#done.shift();
  }

  /** Items per second up to now, including the chunk that is about to be committed; null before the second chunk. */
  rateWith(items: number, now: number): number | null {
    const [first, ...rest] = this.#done;
    if (!first || now <= first.at) return null;
    const sum = rest.reduce((total, done) => total + done.items, items);
    return (sum * 1_000) / (now - first.at);
  }

  longestWith(ms: number): number {
    const last = this.#done.slice(-LONGEST_OF).map((done) => done.ms);
    return Math.ceil(Math.max(ms, ...last));
  }
}

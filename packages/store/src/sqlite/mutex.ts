/** One at a time, first come first served. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();
  #waiting = 0;

  /** True while somebody holds it or waits for it. */
  get busy(): boolean {
    return this.#waiting > 0;
  }

  run<T>(work: () => Promise<T> | T): Promise<T> {
    this.#waiting++;
    const turn = this.#last.then(work);
    this.#last = turn.then(
      () => this.#waiting--,
      () => this.#waiting--,
    );
    return turn;
  }
}

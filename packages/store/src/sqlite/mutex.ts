/** One at a time, first come first served. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T> | T): Promise<T> {
    const turn = this.#last.then(work);
    // Who comes next starts when this one has ended, however it ended.
    this.#last = turn.catch(() => {});
    return turn;
  }
}

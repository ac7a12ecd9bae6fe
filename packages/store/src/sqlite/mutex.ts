/** Runs one callback at a time, in the order of the calls. */
export class Mutex {
  #last: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T> | T): Promise<T> {
    const turn = this.#last.then(work);
    // The next one starts when this one has ended, also after an error.
    this.#last = turn.catch(() => {});
    return turn;
  }
}

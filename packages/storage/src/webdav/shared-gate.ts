/** A lock that is shared (`together`) or exclusive (`alone`). */
export class SharedGate {
  #inside = 0;
  #alone: Promise<void> | undefined;
  #emptied = () => {};

  async together<T>(task: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    this.#inside++;
    try {
      return await task();
    } finally {
      this.#inside--;
      if (this.#inside === 0) this.#emptied();
    }
  }

  async alone<T>(task: () => Promise<T>): Promise<T> {
    while (this.#alone) await this.#alone;
    let leave = () => {};
    // From here on nobody else acquires the lock; tasks that hold it shared finish by themselves.
    this.#alone = new Promise((resolve) => {
      leave = resolve;
    });
    try {
      if (this.#inside > 0) {
        await new Promise<void>((resolve) => {
          this.#emptied = resolve;
        });
      }
      return await task();
    } finally {
      this.#emptied = () => {};
      this.#alone = undefined;
      leave();
    }
  }
}

/** A semaphore. A caller without a place waits in order, and can leave by its signal. */
export class Places {
  readonly #waiting: { enter(): void; refuse(reason: unknown): void }[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async enter(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const leaveLine = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason);
      };
      const waiter = {
        enter: () => {
          signal.removeEventListener("abort", leaveLine);
          resolve();
        },
        refuse: (reason: unknown) => {
          signal.removeEventListener("abort", leaveLine);
          reject(reason);
        },
      };
      signal.addEventListener("abort", leaveLine, { once: true });
      this.#waiting.push(waiter);
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#free++;
  }

  /** Rejects everybody who waits. */
  refuseAll(reason: unknown): void {
    for (const waiter of this.#waiting.splice(0)) waiter.refuse(reason);
  }
}

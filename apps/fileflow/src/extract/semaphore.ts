/** Callers wait in order for one of `count` places. An aborted signal ends the wait. */
export class Semaphore {
  readonly #waiting: { acquire(): void; reject(reason: unknown): void }[] = [];
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  async acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    await new Promise<void>((resolve, reject) => {
      const stopWaiting = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason);
      };
      const waiter = {
        acquire: () => {
          signal.removeEventListener("abort", stopWaiting);
          resolve();
        },
        reject: (reason: unknown) => {
          signal.removeEventListener("abort", stopWaiting);
          reject(reason);
        },
      };
      signal.addEventListener("abort", stopWaiting, { once: true });
      this.#waiting.push(waiter);
    });
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next) next.acquire();
    else this.#free++;
  }

  /** Rejects everybody who waits. */
  rejectAll(reason: unknown): void {
    for (const waiter of this.#waiting.splice(0)) waiter.reject(reason);
  }
}

import { Worker, type WorkerOptions } from "node:worker_threads";

/** A thread that carries out orders in the order they come, and may wait in its calls. */
export class WaitingThread<Order, Answer> {
  readonly #worker: Worker;
  readonly #asked: ((answer: Answer | undefined) => void)[] = [];
  #isGone = false;

  /** `gone`: it could not be started, or ended by itself. */
  constructor(main: URL, options: WorkerOptions, gone: () => void) {
    this.#worker = new Worker(main, options);
    // Only an order that is under way keeps the process alive.
    this.#worker.unref();
    this.#worker.on("message", (answer: Answer) => this.#answer(answer));
    this.#worker.on("error", gone);
    this.#worker.on("exit", () => {
      this.#isGone = true;
      while (this.#asked.length > 0) this.#answer(undefined);
    });
  }

  /** How many orders it has before it. */
  get busy(): number {
    return this.#asked.length;
  }

  /** Undefined also where the thread has ended: whether it did what it was told is then not known. */
  ask(order: Order): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      if (this.#isGone) return resolve(undefined);
      if (this.#asked.push(resolve) === 1) this.#worker.ref();
      this.#worker.postMessage(order);
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #answer(answer: Answer | undefined): void {
    this.#asked.shift()?.(answer);
    if (this.#asked.length === 0) this.#worker.unref();
  }
}

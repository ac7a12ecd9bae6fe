import { Worker, type WorkerOptions } from "node:worker_threads";

interface Asked<Order, Answer> {
  readonly order: Order;
  resolve(answer: Answer | undefined): void;
}

/** A thread that carries out orders and may wait in its calls. What comes while it is busy goes to it together. */
export class WaitingThread<Order, Answer> {
  readonly #worker: Worker;
  #underWay: Asked<Order, Answer>[] = [];
  #waiting: Asked<Order, Answer>[] = [];
  #sentAt = 0;
  #hasAnswered = false;
  #isGone = false;

  /** `gone`: it could not be started, or ended by itself. */
  constructor(main: URL, options: WorkerOptions, gone: () => void) {
    this.#worker = new Worker(main, options);
    // Only an order that is under way keeps the process alive.
    this.#worker.unref();
    this.#worker.on("message", (answers: (Answer | undefined)[]) => this.#answer(answers));
    this.#worker.on("error", gone);
    this.#worker.on("exit", () => {
      this.#isGone = true;
      for (const { resolve } of [...this.#underWay, ...this.#waiting]) resolve(undefined);
    });
  }

  /** How many orders it has before it. */
  get busy(): number {
    return this.#underWay.length + this.#waiting.length;
  }

  /** How long it has been at what it was last given, in ms for each order. Its start does not count. */
  get pace(): number {
    const count = this.#underWay.length;
    return count === 0 || !this.#hasAnswered ? 0 : (performance.now() - this.#sentAt) / count;
  }

  /** Undefined also where the thread has ended: whether it did what it was told is then not known. */
  ask(order: Order): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      if (this.#isGone) return resolve(undefined);
      this.#waiting.push({ order, resolve });
      if (this.#underWay.length > 0) return;
      this.#worker.ref();
      this.#send();
    });
  }

  async end(): Promise<void> {
    await this.#worker.terminate();
  }

  #send(): void {
    this.#underWay = this.#waiting;
    this.#waiting = [];
    this.#sentAt = performance.now();
    this.#worker.postMessage(this.#underWay.map(({ order }) => order));
  }

  #answer(answers: readonly (Answer | undefined)[]): void {
    this.#hasAnswered = true;
    const answered = this.#underWay;
    this.#underWay = [];
    if (this.#waiting.length > 0) this.#send();
    else this.#worker.unref();
    for (const [index, { resolve }] of answered.entries()) resolve(answers[index]);
  }
}

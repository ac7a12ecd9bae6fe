import { setTimeout as pause } from "node:timers/promises";
import { Worker, type WorkerOptions } from "node:worker_threads";

/** A thread that waits in a file call of a share that hangs cannot be ended before the call comes back. */
const LONGEST_END_MS = 1_000;

interface Asked<Order, Answer> {
  readonly order: Order;
  resolve(answer: Answer | undefined): void;
}

/** What a thread is sent. A number of `calledOff` that is not 0 means: nobody wants that order carried out any more. */
export interface Batch<Order> {
  readonly orders: readonly Order[];
  readonly calledOff: Int32Array;
}

/** A thread that carries out orders and may wait in its calls. What comes while it is busy goes to it together. */
export class WaitingThread<Order, Answer> {
  readonly #worker: Worker;
  #underWay: readonly Asked<Order, Answer>[] = [];
  #calledOff: Int32Array = new Int32Array();
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

  /**
   * Undefined also where the thread has ended: whether it did what it was told is then not known. An order that is aborted
   * while it waits is never sent; one that is under way is called off, and its answer awaited.
   */
  ask(order: Order, signal?: AbortSignal): Promise<Answer | undefined> {
    return new Promise((resolve) => {
      if (this.#isGone || signal?.aborted) return resolve(undefined);
      const asked = { order, resolve };
      if (signal) this.#heed(asked, signal);
      this.#waiting.push(asked);
      if (this.#underWay.length > 0) return;
      this.#worker.ref();
      this.#send();
    });
  }

  async end(): Promise<void> {
    this.#calledOff.fill(1);
    await Promise.race([this.#worker.terminate(), pause(LONGEST_END_MS, undefined, { ref: false })]);
  }

  #heed(asked: Asked<Order, Answer>, signal: AbortSignal): void {
    const callOff = () => {
      const sent = this.#underWay.indexOf(asked);
      if (sent >= 0) return Atomics.store(this.#calledOff, sent, 1);
      this.#waiting = this.#waiting.filter((other) => other !== asked);
      asked.resolve(undefined);
    };
    const { resolve } = asked;
    signal.addEventListener("abort", callOff);
    asked.resolve = (answer) => {
      signal.removeEventListener("abort", callOff);
      resolve(answer);
    };
  }

  #send(): void {
    this.#underWay = this.#waiting;
    this.#waiting = [];
    this.#sentAt = performance.now();
    const orders = this.#underWay.map(({ order }) => order);
    this.#calledOff = new Int32Array(new SharedArrayBuffer(orders.length * Int32Array.BYTES_PER_ELEMENT));
    this.#worker.postMessage({ orders, calledOff: this.#calledOff } satisfies Batch<Order>);
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

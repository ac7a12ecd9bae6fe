import { setTimeout as pause } from "node:timers/promises";
import { Worker, type WorkerOptions } from "node:worker_threads";

/**
 * How long `end` waits. A thread that is blocked in a file call of a hanging share cannot end before the call returns.
 */
const LONGEST_END_MS = 1_000;

interface Asked<Order, Answer> {
  readonly order: Order;
  resolve(answer: Answer | undefined): void;
}

/** A message to a thread. A value of `calledOff` other than 0 cancels the order with that index. */
export interface Batch<Order> {
  readonly orders: readonly Order[];
  readonly calledOff: Int32Array;
}

/**
 * A thread that carries out orders with blocking calls. Orders that arrive while it is busy are sent together as the
 * next batch.
 */
export class WaitingThread<Order, Answer> {
  readonly #worker: Worker;
  #underWay: readonly Asked<Order, Answer>[] = [];
  #calledOff: Int32Array = new Int32Array();
  #waiting: Asked<Order, Answer>[] = [];
  #sentAt = 0;
  #hasAnswered = false;
  #isGone = false;

  /** `gone` is called if the thread cannot start or fails. */
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

  /** The number of orders that are under way or waiting. */
  get busy(): number {
    return this.#underWay.length + this.#waiting.length;
  }

  /**
   * How long the current batch has taken so far, in ms per order; 0 before the first answer, so that the start does not
   * count.
   */
  get pace(): number {
    const count = this.#underWay.length;
    return count === 0 || !this.#hasAnswered ? 0 : (performance.now() - this.#sentAt) / count;
  }

  /**
   * The answer is `undefined` also if the thread has ended: whether it carried out the order is then unknown. An order
   * that is aborted while it waits is never sent; an order that is under way is cancelled, and its answer awaited.
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

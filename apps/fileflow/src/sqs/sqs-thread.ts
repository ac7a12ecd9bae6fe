import { SHARE_ENV, Worker } from "node:worker_threads";
import type { AppLog } from "@andon/app";
import type { SqsSettings } from "../contract/settings.ts";
import { errorName } from "./error-name.ts";
import type { SqsCalls } from "./sqs-calls.ts";
import type { SqsAnswer, SqsQuestion } from "./sqs-thread-main.ts";

/** What runs in there. It lies beside this file, as source or built. */
const MAIN = import.meta.url.endsWith(".ts")
  ? new URL("./sqs-thread-main.ts", import.meta.url)
  : new URL("./sqs-thread-main.js", import.meta.url);

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Answer<Call extends keyof SqsCalls> = Awaited<ReturnType<SqsCalls[Call]>>;

/**
 * A thread that calls SQS: a call of the SDK takes the time of several events, which the main thread has for their transactions.
 * It starts at once, since the SDK takes long to load, is replaced with the next call where it dies, and keeps no process alive
 * that waits for nothing.
 */
export class SqsThread {
  readonly #settings: SqsSettings;
  readonly #log: AppLog;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  #last = 0;
  #isClosed = false;

  constructor(settings: SqsSettings, log: AppLog) {
    this.#settings = settings;
    this.#log = log;
    this.#worker = this.#start();
  }

  /** Rejects also where the thread dies: whether SQS has heard the call is then not known. */
  ask<Call extends keyof SqsCalls>(call: Call, ...args: Parameters<SqsCalls[Call]>): Promise<Answer<Call>> {
    if (this.#isClosed) return Promise.reject(new Error("closed"));
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve: resolve as Waiting["resolve"], reject });
      worker.ref();
      worker.postMessage({ id, call, args } satisfies SqsQuestion);
    });
  }

  /** Whoever waits for an answer is refused. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseAll(new Error("closed"));
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // As if the SDK ran in the main thread: its credentials may come from the environment.
    const worker = new Worker(MAIN, { workerData: this.#settings, env: SHARE_ENV });
    worker.unref();
    worker.on("message", (answer: SqsAnswer) => this.#hear(worker, answer));
    let cause: unknown = new Error("the thread that calls SQS has ended");
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      if (this.#isClosed) return;
      this.#worker = undefined;
      this.#log.warn(
        { err: errorName(cause) },
        "the thread that calls SQS has ended; the next call starts another",
      );
      this.#refuseAll(cause);
    });
    return worker;
  }

  #hear(worker: Worker, { id, value, error }: SqsAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) worker.unref();
    if (error) waiting?.reject(Object.assign(new Error(error.message), error));
    else waiting?.resolve(value);
  }

  #refuseAll(error: unknown): void {
    const refused = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of refused) reject(error);
  }
}

import { SHARE_ENV, Worker } from "node:worker_threads";
import type { AppLog } from "@andon/app";
import type { SqsSettings } from "../contract/settings.ts";
import { errorName } from "./error-name.ts";
import type { SqsCalls } from "./sqs-calls.ts";
import type { SqsAnswer, SqsQuestion } from "./sqs-thread-main.ts";

/** The program of the thread, beside this file as source or built. */
const MAIN = import.meta.url.endsWith(".ts")
  ? new URL("./sqs-thread-main.ts", import.meta.url)
  : new URL("./sqs-thread-main.js", import.meta.url);

interface Waiting {
  resolve(value: unknown): void;
  reject(error: unknown): void;
}

type Answer<Call extends keyof SqsCalls> = Awaited<ReturnType<SqsCalls[Call]>>;

/**
 * Calls SQS in a thread of its own: a call of the SDK takes as much CPU time as the transactions of several events. The thread
 * starts with the process, since the SDK takes long to load. If it dies, the next call starts another one. It keeps the process
 * alive only while a call waits for its answer.
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

  /** Also rejects if the thread dies: SQS may or may not have received the call. */
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

  /** Rejects the calls that wait for an answer. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseAll(new Error("closed"));
    await this.#worker?.terminate();
  }

  #start(): Worker {
    // The SDK may read its credentials from the environment, as in the main thread.
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

import { SMALL_BYTES } from "../buffered-bytes.ts";
import type { RootIdentity } from "./root-identity.ts";
import type { Answer, Order, PutAnswer, PutOrder, ReadAnswer, ReadOrder } from "./small-file-steps.ts";
import { WaitingThread } from "./waiting-thread.ts";

/** The first small files of a folder take the ordinary way: for an occasional file a thread is not worth its start. */
const FILES_BEFORE_THREADS = 16;
/**
 * On a local disk one thread is fastest, because it handles a whole batch together. On a network share threads mostly
 * wait, so several wait side by side: one more starts when each thread has spent more than this on its batch, in ms per
 * file.
 */
const SLOW_MS = 20;
const MOST_THREADS = 8;

const THREAD_MAIN = import.meta.url.endsWith(".ts")
  ? new URL("./small-file-thread.ts", import.meta.url)
  : new URL("./small-file-thread.js", import.meta.url);

export interface SmallFileOptions {
  readonly filesBeforeThreads?: number;
  /** Node's arguments for the threads. Default: those of this process. */
  readonly execArgv?: string[];
}

/**
 * Threads that store and read small files faster. They belong to one folder, so a share that hangs blocks no other
 * folder. The answer `undefined` means that the caller must take the ordinary way, which is always possible.
 */
export class SmallFileThreads {
  readonly #options: SmallFileOptions;
  readonly #threads: WaitingThread<Order, Answer>[] = [];
  #files = 0;
  #isClosed = false;

  constructor(options: SmallFileOptions = {}) {
    this.#options = options;
  }

  /** After an abort it gives no file its final name, and its answer has no meaning. */
  async put(
    root: RootIdentity,
    order: Omit<PutOrder, "kind" | "root">,
    signal?: AbortSignal,
  ): Promise<PutAnswer> {
    return (await this.#ask({ kind: "put", root, ...order }, signal)) as PutAnswer;
  }

  async read(root: RootIdentity, file: string): Promise<ReadAnswer> {
    const order: ReadOrder = { kind: "read", root, file, most: SMALL_BYTES };
    return (await this.#ask(order)) as ReadAnswer;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await Promise.all(this.#threads.map((thread) => thread.end()));
  }

  async #ask(order: Order, signal?: AbortSignal): Promise<Answer> {
    if (this.#isClosed || this.#files++ < (this.#options.filesBeforeThreads ?? FILES_BEFORE_THREADS)) {
      return undefined;
    }
    return this.#leastBusy().ask(order, signal);
  }

  #leastBusy(): WaitingThread<Order, Answer> {
    const waited = this.#threads.every(({ pace }) => pace > SLOW_MS);
    if (waited && this.#threads.length < MOST_THREADS) this.#threads.push(this.#start());
    return this.#threads.reduce((least, one) => (one.busy < least.busy ? one : least));
  }

  #start(): WaitingThread<Order, Answer> {
    const { execArgv } = this.#options;
    return new WaitingThread(THREAD_MAIN, execArgv ? { execArgv } : {}, () => {
      // Threads are optional: without them every file takes the ordinary way.
      this.#isClosed = true;
    });
  }
}

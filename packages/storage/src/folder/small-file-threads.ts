import { SMALL_BYTES } from "../bytes-in-hand.ts";
import type { RootIdentity } from "./root-identity.ts";
import type { Answer, Order, PutAnswer, PutOrder, ReadAnswer, ReadOrder } from "./small-file-steps.ts";
import { WaitingThread } from "./waiting-thread.ts";

/** A folder that sees a small file now and then is served well without threads. */
const FILES_BEFORE_THREADS = 16;
/**
 * On a disk of this machine one thread is best: what comes together it does together. A share is waited for, so there the
 * waiting is done side by side: once all threads have been at theirs for so long, in ms for each file, there is one more.
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
 * A quick way for small files, by threads that belong to one folder alone: a share that hangs holds up nobody else.
 * What it answers with `undefined` goes the ordinary way, which everything can at any time.
 */
export class SmallFileThreads {
  readonly #options: SmallFileOptions;
  readonly #threads: WaitingThread<Order, Answer>[] = [];
  #files = 0;
  #isClosed = false;

  constructor(options: SmallFileOptions = {}) {
    this.#options = options;
  }

  /** Aborted, it names nothing from then on, and whatever it answers tells nothing. */
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
      // Nobody needs threads: without them everything goes the ordinary way.
      this.#isClosed = true;
    });
  }
}

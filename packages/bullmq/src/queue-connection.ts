import { AndonError } from "@andon/contract";
import { Queue } from "bullmq";
import { Redis } from "ioredis";
import { type OperationOptions, operate, type QueueOperations } from "./operations.ts";

export interface ConnectionOptions extends OperationOptions {
  /** The address of Redis, such as `redis://:secret@host:6379/0` or `rediss://…`. */
  readonly url: string;
  /** BullMQ's prefix of the keys. Default: `bull`. */
  readonly prefix?: string;
  /** How long a call waits for Redis, in milliseconds, before it throws BULLMQ_UNAVAILABLE. Default: 1,000. */
  readonly timeout?: number;
}

const PRESET_TIMEOUT_MS = 1_000;
const LONGEST_RETRY_MS = 1_000;

/**
 * A queue, given its name and the address of its Redis, for a process that only operates it. It reconnects by itself; a call that
 * Redis does not answer in time throws BULLMQ_UNAVAILABLE.
 */
export class QueueConnection {
  readonly name: string;
  readonly #redis: Redis;
  readonly #timeout: number;
  readonly #open: () => Queue;
  readonly #options: OperationOptions;
  #queue: Queue | undefined;
  #connecting: Promise<void> | undefined;

  constructor(name: string, { url, prefix, timeout = PRESET_TIMEOUT_MS, ...options }: ConnectionOptions) {
    this.name = name;
    this.#timeout = timeout;
    this.#options = options;
    this.#redis = new Redis(url, {
      enableOfflineQueue: false,
      maxRetriesPerRequest: 0,
      connectTimeout: timeout,
      commandTimeout: timeout,
      retryStrategy: (times) => Math.min(times * 100, LONGEST_RETRY_MS),
    });
    // Each call throws its own error. Without a listener, an `error` event would end the process.
    this.#redis.on("error", () => {});
    // A process that only operates a queue does not change its settings.
    const queueOptions = { connection: this.#redis, skipMetasUpdate: true };
    this.#open = () => new Queue(name, prefix === undefined ? queueOptions : { ...queueOptions, prefix });
  }

  /** Runs one operation, which must end within `timeout`, connecting included. */
  use<T>(call: (operations: QueueOperations) => Promise<T>): Promise<T> {
    return this.#inTime((operations) => this.#within(operations.then(call)));
  }

  /** Runs an operation over many jobs: only connecting and each Redis command must end within `timeout`. */
  useLong<T>(call: (operations: QueueOperations) => Promise<T>): Promise<T> {
    return this.#inTime(async (operations) => call(await this.#within(operations)));
  }

  async #inTime<T>(work: (operations: Promise<QueueOperations>) => Promise<T>): Promise<T> {
    try {
      return await work(this.#operations());
    } catch (error) {
      if (error instanceof AndonError) throw error;
      const { message } = error as Error;
      throw new AndonError("BULLMQ_UNAVAILABLE", { queue: this.name, problem: message }, { cause: error });
    }
  }

  async #within<T>(answer: Promise<T>): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${this.#timeout} ms`)), this.#timeout);
    });
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }

  async close(): Promise<void> {
    await this.#queue?.close().catch(() => {});
    this.#redis.disconnect();
  }

  /** BullMQ asks Redis for its version once and does not repeat a failed request: such a queue is opened anew. */
  async #operations(): Promise<QueueOperations> {
    if (this.#redis.status !== "ready") await this.#connected();
    this.#queue ??= this.#open().on("error", () => {});
    const queue = this.#queue;
    try {
      await queue.waitUntilReady();
    } catch (error) {
      if (this.#queue === queue) this.#queue = undefined;
      throw error;
    }
    return operate(queue, this.#options);
  }

  /** All calls that find the connection down share one wait. */
  #connected(): Promise<void> {
    this.#connecting ??= new Promise<void>((resolve, reject) => {
      const ended = () => reject(new Error("the connection is closed"));
      this.#redis.once("ready", () => {
        this.#redis.off("end", ended);
        resolve();
      });
      this.#redis.once("end", ended);
    }).finally(() => {
      this.#connecting = undefined;
    });
    return this.#connecting;
  }
}

import { Worker } from "node:worker_threads";
import { AndonError } from "@andon/contract";
import type { Session } from "../dialect.ts";
import { bind } from "../statement.ts";
import type { ThreadAnswer, ThreadQuestion } from "./reader-thread-main.ts";

/** The thread's entry point, beside this file as source or as built. */
const MAIN = import.meta.url.endsWith(".ts")
  ? new URL("./reader-thread-main.ts", import.meta.url)
  : new URL("./reader-thread-main.js", import.meta.url);

interface Waiting {
  resolve(rows: unknown[]): void;
  reject(error: unknown): void;
}

/**
 * A thread with its own read-only connection. It starts with the first statement, is replaced if it dies, and keeps the
 * process alive only while a statement is outstanding. Statements run one after the other, and each turn of the event
 * loop delivers one answer: a port delivers all that have arrived in one turn, and processing 16 weeks of history took
 * 2 s that way.
 */
export class ReaderThread {
  readonly #path: string;
  readonly #waiting = new Map<number, Waiting>();
  #worker: Worker | undefined;
  readonly #answers: (() => void)[] = [];
  #last = 0;
  #isClosed = false;

  constructor(path: string) {
    this.#path = path;
  }

  ask(question: Omit<ThreadQuestion, "id">): Promise<unknown[]> {
    if (this.#isClosed) throw new AndonError("CLOSED");
    this.#worker ??= this.#start();
    const worker = this.#worker;
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      worker.ref();
      worker.postMessage({ ...question, id } satisfies ThreadQuestion);
    });
  }

  /** Rejects all outstanding statements. The thread ends when its current statement ends: nothing can interrupt it. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#refuseAll(new AndonError("CLOSED"));
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(MAIN, { workerData: { path: this.#path } });
    worker.unref();
    worker.on("message", (answer: ThreadAnswer) => this.#receive(worker, answer));
    let cause: unknown = new Error("the reader thread ended");
    worker.on("error", (error) => {
      cause = error;
    });
    worker.on("exit", () => {
      if (this.#worker !== worker) return;
      this.#worker = undefined;
      this.#refuseAll(cause);
    });
    return worker;
  }

  #receive(worker: Worker, { id, rows, error }: ThreadAnswer): void {
    const waiting = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (this.#waiting.size === 0) worker.unref();
    if (!waiting) return;
    const deliver = () => (error ? waiting.reject(errorOf(error)) : waiting.resolve(rows ?? []));
    if (this.#answers.push(deliver) === 1) setImmediate(() => this.#deliver());
  }

  #deliver(): void {
    this.#answers.shift()?.();
    if (this.#answers.length > 0) setImmediate(() => this.#deliver());
  }

  #refuseAll(error: unknown): void {
    const refused = [...this.#waiting.values()];
    this.#waiting.clear();
    for (const { reject } of refused) reject(error);
  }
}

/** An error that is sent between threads loses its class and its own members; this restores both. */
function errorOf({ andon, message, ...facts }: NonNullable<ThreadAnswer["error"]>): Error {
  return andon ? new AndonError(andon) : Object.assign(new Error(message), facts);
}

/** A session whose statements run in the thread. */
export function threadSession(thread: ReaderThread, check: () => void): Session {
  const ask = async (question: Omit<ThreadQuestion, "id">) => {
    check();
    return thread.ask(question);
  };
  return {
    all: async <Row>(statement: Parameters<Session["all"]>[0], values: Parameters<Session["all"]>[1]) =>
      (await ask({ kind: "own", text: statement.text, params: bind(statement, values) })) as Row[],
    run: async () => {
      throw new Error("the reader thread cannot write");
    },
    raw: async <Row>(text: string, params: readonly unknown[]) =>
      (await ask({ kind: "callers", text, params })) as Row[],
  };
}

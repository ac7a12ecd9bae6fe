import { AsyncResource } from "node:async_hooks";
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Mutex } from "./mutex.ts";
import type { SyncSession } from "./session.ts";

export interface TransactionControl {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): void;
  /** A savepoint, and the two ways to end it: `keep` the writes since then, or `undo` them. */
  mark(): void;
  keep(): void;
  undo(): void;
}

interface Waiting {
  /** Runs to its end without waiting for anything, so that it can be run again. */
  readonly isShort: boolean;
  readonly write: (session: SyncSession) => unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

interface Written {
  readonly one: Waiting;
  readonly result: unknown;
}

/**
 * After this time a group that contains a long write accepts no more writes: those that have run wait for its commit.
 */
const LONGEST_GROUP_MS = 5;

/**
 * Writes that wait at the same time share one transaction and its commit, which is most of the cost of a write on a
 * durable file; all are answered after it. A write that arrives while the others run joins them: an add wakes an idle
 * worker of this process before it is committed, so it is stored and claimed in one commit.
 *
 * Short writes have no effect outside the transaction: if one of them throws, all are rolled back and run again one by
 * one. A long one (a caller's transaction) runs once, between a mark and its end, and fails alone; so does every write
 * after it in the group.
 */
export class SharedCommits {
  readonly #session: SyncSession;
  readonly #transaction: TransactionControl;
  readonly #mutex: Mutex;
  #waiting: Waiting[] = [];
  #isOpen = false;

  constructor(session: SyncSession, transaction: TransactionControl, mutex: Mutex) {
    this.#session = session;
    this.#transaction = transaction;
    this.#mutex = mutex;
  }

  run<T>(write: (session: SyncSession) => T): Promise<T> {
    return this.#join<T>(true, write);
  }

  runLong<T>(work: () => Promise<T>): Promise<T> {
    // The group runs in the async context of the caller that opened it; logs and traces must have the writer's own
    // context.
    return this.#join<T>(false, AsyncResource.bind(work));
  }

  #join<T>(isShort: boolean, write: Waiting["write"]): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ isShort, write, resolve: resolve as Waiting["resolve"], reject });
      if (this.#isOpen) return;
      // From here until the last write of the group has run, new writes join it.
      this.#isOpen = true;
      void this.#mutex.run(async () => {
        // Writes that became ready during the last commit are queued in this turn of the event loop.
        if (!isShort) await nextTurn();
        await this.#commitTogether();
      });
    });
  }

  async #commitTogether(): Promise<void> {
    try {
      await this.#transaction.begin();
    } catch (error) {
      for (const { reject } of this.#take(this.#waiting.length)) reject(error);
      return;
    }
    const came = this.#waiting.length;
    const { written, isShortOnly, failure } = await this.#writeAll();
    const group = written.map(({ one }) => one);
    try {
      if (failure) throw failure.error;
      await this.#transaction.commit();
    } catch (error) {
      this.#transaction.rollback();
      if (isShortOnly && group.length > 1) for (const one of group) await this.#commitAlone(one);
      else for (const { reject } of group) reject(error);
      return;
    }
    for (const [index, { one, result }] of written.entries()) {
      if (index < came) one.resolve(result);
      // A claim that joined an add starts handlers, which may block; the adding callers are resumed first.
      else setImmediate(one.resolve, result);
    }
  }

  /**
   * Runs the waiting writes in the open transaction. A write that failed alone is already rejected and not part of
   * `written`.
   */
  async #writeAll(): Promise<{ written: Written[]; isShortOnly: boolean; failure?: { error: unknown } }> {
    const written: Written[] = [];
    const begun = performance.now();
    let isShortOnly = true;
    let at = 0;
    // The list may grow during the loop.
    for (; at < this.#waiting.length; at++) {
      const one = this.#waiting[at] as Waiting;
      if (!isShortOnly && performance.now() - begun > LONGEST_GROUP_MS) break;
      try {
        if (one.isShort && isShortOnly) {
          written.push({ one, result: one.write(this.#session) });
          continue;
        }
        isShortOnly = false;
        await this.#writeApart(one, written);
      } catch (error) {
        const rest = isShortOnly ? this.#waiting.slice(at) : [one];
        written.push(...rest.map((failed) => ({ one: failed, result: undefined })));
        this.#take(at + rest.length);
        return { written, isShortOnly, failure: { error } };
      }
    }
    this.#take(at);
    return { written, isShortOnly };
  }

  async #writeApart(one: Waiting, written: Written[]): Promise<void> {
    this.#transaction.mark();
    let result: unknown;
    try {
      result = await one.write(this.#session);
    } catch (error) {
      try {
        this.#transaction.undo();
      } catch {
        // SQLite has rolled back the whole transaction (disk full); every write gets this error.
        throw error;
      }
      one.reject(error);
      return;
    }
    this.#transaction.keep();
    written.push({ one, result });
  }

  /** Removes this many from the queue. The remaining ones are the next group. */
  #take(count: number): Waiting[] {
    const taken = this.#waiting.splice(0, count);
    this.#isOpen = this.#waiting.length > 0;
    if (this.#isOpen) void this.#mutex.run(() => this.#commitTogether());
    return taken;
  }

  async #commitAlone({ write, resolve, reject }: Waiting): Promise<void> {
    try {
      await this.#transaction.begin();
      const result = write(this.#session);
      await this.#transaction.commit();
      resolve(result);
    } catch (error) {
      this.#transaction.rollback();
      reject(error);
    }
  }
}

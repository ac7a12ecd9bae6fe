import type { Mutex } from "./mutex.ts";
import type { SyncSession } from "./session.ts";

export interface TransactionControl {
  begin(): Promise<void>;
  commit(): Promise<void>;
  rollback(): void;
}

interface Waiting {
  readonly write: (session: SyncSession) => unknown;
  resolve(result: unknown): void;
  reject(error: unknown): void;
}

/**
 * Writes that wait at the same time share one transaction and its commit, which on a durable file is most of what a
 * write costs; nobody is answered before it. A write that comes while the others run joins them: an add wakes an idle
 * worker of this process before it is committed, and is stored and claimed in one commit.
 *
 * If one of several throws, all are rolled back and go again one by one: a write must leave no trace but in the
 * transaction.
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
    return new Promise<T>((resolve, reject) => {
      this.#waiting.push({ write, resolve: resolve as (result: unknown) => void, reject });
      if (this.#isOpen) return;
      // From here until its last write has run, whoever comes joins.
      this.#isOpen = true;
      void this.#mutex.run(() => this.#commitTogether());
    });
  }

  async #commitTogether(): Promise<void> {
    let hasBegun = false;
    let group: Waiting[] = [];
    try {
      await this.#transaction.begin();
      hasBegun = true;
      const results: unknown[] = [];
      const came = this.#waiting.length;
      // The list may grow while it runs.
      for (const { write } of this.#waiting) results.push(write(this.#session));
      group = this.#close();
      await this.#transaction.commit();
      for (const [index, { resolve }] of group.entries()) {
        if (index < came) resolve(results[index]);
        // A claim that joined an add starts handlers, which may block: whoever added has gone on by then.
        else setImmediate(resolve, results[index]);
      }
    } catch (error) {
      this.#transaction.rollback();
      if (group.length === 0) group = this.#close();
      if (hasBegun && group.length > 1) for (const one of group) await this.#commitAlone(one);
      else for (const { reject } of group) reject(error);
    }
  }

  #close(): Waiting[] {
    const group = this.#waiting;
    this.#waiting = [];
    this.#isOpen = false;
    return group;
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

import { AndonError } from "@andon/contract";
import type { Store } from "@andon/engine";
import type { Authenticated } from "./authenticated.ts";
import { hashOf } from "./secrets.ts";

const REMEMBERED_MS = 5 * 60_000;
const MOST_REMEMBERED = 10_000;
/** After this time a route that works without the store treats the store as unavailable. */
const LONGEST_ANSWER_MS = 1_000;

interface Seen {
  readonly caller: Authenticated;
  readonly at: number;
}

/**
 * A cache of the callers of the last minutes, by the hash of their secret. It is used only by routes that work without the store, and
 * only while the store does not answer: in all other cases a revoked key is refused at once.
 */
export class RecentCallers {
  readonly #store: Pick<Store, "clock" | "isUnavailable">;
  readonly #seen = new Map<string, Seen>();

  constructor(store: Pick<Store, "clock" | "isUnavailable">) {
    this.#store = store;
  }

  /** Finds the caller with `find`; if the store does not answer and `mayRemember` is true, in the cache. */
  async known(
    secret: string,
    mayRemember: boolean,
    find: () => Promise<Authenticated | undefined>,
  ): Promise<Authenticated | undefined> {
    const key = hashOf(secret);
    try {
      const caller = await (mayRemember ? inTime(find()) : find());
      if (caller) this.#remember(key, caller);
      else this.#seen.delete(key);
      return caller;
    } catch (error) {
      if (!mayRemember || !(error === LATE || this.#store.isUnavailable(error))) throw error;
      const caller = this.#recall(key);
      if (caller) return caller;
      const problem = "the caller is not known without it";
      throw new AndonError("STORE_UNAVAILABLE", { problem }, { cause: error });
    }
  }

  /** Called when this process has ended a key or a session. */
  clear(): void {
    this.#seen.clear();
  }

  #remember(key: string, caller: Authenticated): void {
    this.#seen.delete(key);
    this.#seen.set(key, { caller, at: this.#store.clock.monotonic() });
    if (this.#seen.size <= MOST_REMEMBERED) return;
    const [oldest] = this.#seen.keys();
    this.#seen.delete(oldest as string);
  }

  #recall(key: string): Authenticated | undefined {
    const seen = this.#seen.get(key);
    if (!seen || this.#store.clock.monotonic() - seen.at > REMEMBERED_MS) return undefined;
    const { expiresAt } = seen.caller.basis;
    return expiresAt !== null && expiresAt <= this.#store.clock.now() ? undefined : seen.caller;
  }
}

const LATE = new Error("the store does not answer");

function inTime<T>(answer: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(LATE), LONGEST_ANSWER_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}

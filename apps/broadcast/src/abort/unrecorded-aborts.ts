import { setTimeout as wait } from "node:timers/promises";
import { isAndonError } from "@andon/contract";
import type { Store } from "@andon/engine";
import type { AbortFlags, FlaggedWish } from "./abort-flags.ts";

const RETRY_AFTER_MS = 1_000;

/**
 * Aborts that were answered before the store had recorded them. The worker that finds the flag records the abort. This
 * process records it too as soon as the store answers, because Redis may lose the flag before the worker reads it. Until then
 * the flag is set again at intervals, so that it does not expire.
 */
export class UnrecordedAborts {
  readonly #store: Store;
  readonly #flags: AbortFlags;
  readonly #closed = new AbortController();
  readonly #pending = new Map<string, Promise<void>>();

  constructor(store: Store, flags: AbortFlags) {
    this.#store = store;
    this.#flags = flags;
  }

  keep(id: string, wish: FlaggedWish, first: Promise<unknown>, again: () => Promise<unknown>): void {
    if (this.#pending.has(id)) {
      first.catch(() => {});
      return;
    }
    const stopRenewing = this.#renew(id, wish);
    const kept = this.#record(id, wish, first, again).finally(() => {
      stopRenewing();
      this.#pending.delete(id);
    });
    this.#pending.set(id, kept);
  }

  close(): void {
    this.#closed.abort();
  }

  /** Runs on its own timer, because an attempt to record may hang as long as the database is silent. */
  #renew(id: string, wish: FlaggedWish): () => void {
    const timer = setInterval(() => void this.#flags.set(id, wish), this.#flags.renewEveryMs);
    const stop = () => clearInterval(timer);
    this.#closed.signal.addEventListener("abort", stop, { once: true });
    return () => {
      this.#closed.signal.removeEventListener("abort", stop);
      stop();
    };
  }

  async #record(
    id: string,
    wish: FlaggedWish,
    first: Promise<unknown>,
    again: () => Promise<unknown>,
  ): Promise<void> {
    const { signal } = this.#closed;
    for (let attempt = first; ; attempt = again()) {
      const error = await attempt.then(
        () => undefined,
        (thrown: unknown) => thrown ?? new Error("unknown"),
      );
      if (error === undefined || signal.aborted) return;
      // The job has ended, or it is outside the caller's scope: the flag must not stay.
      if (isAndonError(error) || !this.#store.isUnavailable(error))
        return this.#flags.clear(id, wish.requestedAt);
      await this.#flags.set(id, wish);
      await wait(RETRY_AFTER_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
    }
  }
}

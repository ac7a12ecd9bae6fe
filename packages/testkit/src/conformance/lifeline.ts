import type { Store } from "@andon/engine";

const AT_ONCE = new Set<PropertyKey>([
  "clock",
  "parallelRequests",
  "isUnavailable",
  "hasNoRoom",
  "onSignal",
  "join",
  "close",
]);

/**
 * The connection between a process and its store. While it is cut no call gets an answer, in either direction, as when
 * the process died, was paused, or lost its network. When it is mended, the waiting calls go through, late.
 */
export class Lifeline {
  #mended: Promise<void> | undefined;
  #mend: () => void = () => {};

  cut(): void {
    this.#mended = new Promise((resolve) => {
      this.#mend = resolve;
    });
  }

  mend(): void {
    this.#mended = undefined;
    this.#mend();
  }

  over(store: Store): Store {
    const read = this.#over(store.read, {});
    return this.#over(store, {
      read,
      signal: (...args: Parameters<Store["signal"]>) => this.#mended ?? store.signal(...args),
    });
  }

  #over<T extends object>(target: T, replaced: Partial<Record<keyof T, unknown>>): T {
    return new Proxy(target, {
      get: (_, name) => {
        if (name in replaced) return replaced[name as keyof T];
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== "function") return value;
        if (AT_ONCE.has(name)) return value.bind(target);
        return async (...args: unknown[]) => {
          if (this.#mended) await this.#mended;
          const answer: unknown = await value.apply(target, args);
          if (this.#mended) await this.#mended;
          return answer;
        };
      },
    });
  }
}

import type { Signal } from "@andon/engine";

/** Signals inside this process. A listener that throws does not keep the others from being called. */
export class Signals {
  readonly #listeners = new Set<(signal: Signal) => void>();

  on(listener: (signal: Signal) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  emit(signal: Signal): void {
    for (const listener of this.#listeners) {
      try {
        listener(signal);
      } catch (error) {
        queueMicrotask(() => {
          throw error;
        });
      }
    }
  }

  get listened(): boolean {
    return this.#listeners.size > 0;
  }
}

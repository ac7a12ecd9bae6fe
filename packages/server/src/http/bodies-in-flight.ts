/** How many bytes of memory the bodies of one caller may take. Most bodies are in memory until their requests are answered. */
const MOST_BYTES = 32 * 1024 * 1024;

/** The bodies that are being received or worked on, per caller: none may fill the memory with bodies that never end. */
export class BodiesInFlight {
  readonly #bytes = new Map<string, number>();

  /** Counts a body of this size. Gives what ends it, or undefined where the caller has too much underway; one body always passes. */
  take(caller: string, size: number): (() => void) | undefined {
    const before = this.#bytes.get(caller) ?? 0;
    if (before > 0 && before + size > MOST_BYTES) return undefined;
    this.#bytes.set(caller, before + size);
    return () => {
      const left = (this.#bytes.get(caller) ?? 0) - size;
      if (left > 0) this.#bytes.set(caller, left);
      else this.#bytes.delete(caller);
    };
  }
}

export interface BodyLimits {
  /** The most bytes of one caller. */
  readonly perCaller: number;
  /** The most bytes of all callers together. */
  readonly inAll: number;
}

/**
 * Counts the bodies that are being received or processed. Neither one caller nor all callers together can fill the memory with bodies
 * that never end. When the limit for all is reached, each caller may still have one body, so no caller can lock out others.
 */
export class BodiesInFlight {
  readonly #limits: BodyLimits;
  readonly #bytes = new Map<string, number>();
  #inAll = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Counts a body. Returns the function that ends the count, or undefined above a limit; a caller's only body always passes. */
  take(caller: string, size: number): (() => void) | undefined {
    const before = this.#bytes.get(caller) ?? 0;
    const { perCaller, inAll } = this.#limits;
    if (before > 0 && (before + size > perCaller || this.#inAll + size > inAll)) return undefined;
    this.#add(caller, size);
    let isTaken = true;
    return () => {
      if (isTaken) this.#add(caller, -size);
      isTaken = false;
    };
  }

  #add(caller: string, size: number): void {
    this.#inAll += size;
    const bytes = (this.#bytes.get(caller) ?? 0) + size;
    if (bytes > 0) this.#bytes.set(caller, bytes);
    else this.#bytes.delete(caller);
  }
}

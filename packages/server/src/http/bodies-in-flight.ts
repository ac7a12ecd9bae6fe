export interface BodyLimits {
  /** Bytes of one caller. */
  readonly perCaller: number;
  /** Bytes of all callers. */
  readonly inAll: number;
}

/**
 * The bodies that are being received or worked on. No caller may fill the memory with bodies that never end, and neither may all
 * callers together. Where the memory for all is taken, each caller may still have one body: nobody shuts others out.
 */
export class BodiesInFlight {
  readonly #limits: BodyLimits;
  readonly #bytes = new Map<string, number>();
  #inAll = 0;

  constructor(limits: BodyLimits) {
    this.#limits = limits;
  }

  /** Counts a body of this size. Gives what ends it, or undefined where there is too much underway; one body of a caller always passes. */
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

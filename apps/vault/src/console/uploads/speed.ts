const WINDOW_MS = 5_000;

/** The speed of an upload over the last few seconds. */
export class Speed {
  readonly #points: { readonly at: number; readonly sent: number }[] = [];

  /** Records the bytes sent so far; returns the bytes per second. */
  at(now: number, sent: number): number {
    this.#points.push({ at: now, sent });
    while ((this.#points[0]?.at ?? now) < now - WINDOW_MS) this.#points.shift();
    const first = this.#points[0];
    const ms = now - (first?.at ?? now);
    return ms === 0 ? 0 : ((sent - (first?.sent ?? 0)) / ms) * 1_000;
  }
}

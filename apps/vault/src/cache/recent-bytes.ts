const MOST_BYTES = 8 * 1024 * 1024;

/**
 * Small files that have just come to the cache, whose way to the NAS mostly begins at once: their bytes need not be read
 * again. Whatever is not here lies in the cache.
 */
export class RecentBytes {
  readonly #kept = new Map<string, Uint8Array>();
  #size = 0;

  keep(cachePath: string, bytes: Uint8Array): void {
    this.#kept.set(cachePath, bytes);
    this.#size += bytes.byteLength;
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= MOST_BYTES) break;
      this.take(oldest);
    }
  }

  /** Once: who has to try again reads the cache. */
  take(cachePath: string): Uint8Array | undefined {
    const bytes = this.#kept.get(cachePath);
    this.#kept.delete(cachePath);
    this.#size -= bytes?.byteLength ?? 0;
    return bytes;
  }
}

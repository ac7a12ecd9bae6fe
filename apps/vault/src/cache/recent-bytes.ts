const MOST_BYTES = 32 * 1024 * 1024;

export interface Recent {
  readonly cachePath: string;
  readonly bytes: Uint8Array;
}

/**
 * Small files that were just uploaded. Their first operation usually runs at once; it then needs neither a query for
 * their path nor a read from the cache. All other bytes are read from the cache.
 */
export class RecentBytes {
  readonly #kept = new Map<string, Recent>();
  #size = 0;

  keep(fileId: string, recent: Recent): void {
    this.#kept.set(fileId, recent);
    this.#size += roomOf(recent);
    for (const oldest of this.#kept.keys()) {
      if (this.#size <= MOST_BYTES) break;
      this.take(oldest);
    }
  }

  /** Returns the bytes only once: a retry reads the cache. */
  take(fileId: string): Recent | undefined {
    const recent = this.#kept.get(fileId);
    this.#kept.delete(fileId);
    this.#size -= recent ? roomOf(recent) : 0;
    return recent;
  }
}

/** A very small file takes more memory than its bytes. */
const ROOM_OF_ONE = 1024;

function roomOf({ bytes }: Recent): number {
  return bytes.byteLength + ROOM_OF_ONE;
}

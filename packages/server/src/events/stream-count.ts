import { AndonError, type Principal } from "@andon/contract";

const COME_BACK_AFTER_S = 30;

/** Counts the open streams per key. A key and the sessions made from it share one count. */
export class StreamCount {
  readonly #most: number;
  readonly #open = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Counts a stream or refuses it. Returns the function that ends the count. */
  enter({ keyId, actor }: Principal): () => void {
    const owner = keyId === undefined ? actor : `key-id:${keyId}`;
    const open = this.#open.get(owner) ?? 0;
    if (open >= this.#most)
      throw new AndonError("TOO_MANY_STREAMS", { most: this.#most, seconds: COME_BACK_AFTER_S });
    this.#open.set(owner, open + 1);
    return () => {
      const left = (this.#open.get(owner) ?? 0) - 1;
      if (left > 0) this.#open.set(owner, left);
      else this.#open.delete(owner);
    };
  }
}

import type { Readable } from "node:stream";
import type { FaultCode } from "../faults.ts";
import type { Storage } from "../storage.ts";
import { StorageError } from "../storage-error.ts";

/** The operations of a storage. */
export type Operation = Exclude<keyof Storage, "place" | "close">;

/** Stands for the death of the process: the caller in a test gets this error where a real caller would be dead too. */
export class Died extends Error {
  override readonly name = "Died";
}

/** A call that waits until it is released. */
export interface Hang {
  /** Resolves when the call has started. */
  readonly reached: Promise<void>;
  release(): void;
}

type Trouble =
  | { readonly kind: "fail"; readonly error: Error }
  | { readonly kind: "hang"; readonly reached: () => void; readonly released: Promise<void> }
  | { readonly kind: "die-after" };

/** The troubles that are queued for the next calls of their operations. */
export class Troubles {
  away: FaultCode | undefined;
  room: number | undefined;
  deathAfter: number | undefined;
  readonly #place: string;
  readonly #waiting = new Map<Operation, Trouble[]>();
  #end = deferred();

  constructor(place: string) {
    this.#place = place;
  }

  add(operation: Operation, trouble: Trouble): void {
    this.#waiting.set(operation, [...(this.#waiting.get(operation) ?? []), trouble]);
  }

  addHang(operation: Operation): Hang {
    const [reached, released] = [deferred(), deferred()];
    this.add(operation, { kind: "hang", reached: reached.settle, released: released.promise });
    return { reached: reached.promise, release: released.settle };
  }

  async run<T>(operation: Operation, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const trouble = this.#waiting.get(operation)?.shift();
    if (trouble?.kind === "hang") {
      trouble.reached();
      await Promise.race([trouble.released, this.#end.promise, abortOf(signal)]);
      signal?.throwIfAborted();
    }
    if (this.away) throw new StorageError(this.away, { place: this.#place, reason: "it is away" });
    if (trouble?.kind === "fail") throw trouble.error;
    const result = await work();
    if (trouble?.kind === "die-after") throw new Died(`died after ${operation}`);
    return result;
  }

  /**
   * The bytes of a put, until the room is used up or the writer dies. A dead writer neither continues nor cleans up.
   */
  feed(path: string, source: Readable): { troubled: AsyncGenerator<Buffer>; death: Promise<never> } {
    const { promise: death, fail } = deferred<never>();
    death.catch(() => {});
    let left = this.deathAfter;
    this.deathAfter = undefined;
    const troubles = this;
    const end = this.#end.promise;
    async function* troubled(): AsyncGenerator<Buffer> {
      for await (const piece of source) {
        const chunk = Buffer.from(piece);
        if (left !== undefined && chunk.byteLength >= left) {
          yield chunk.subarray(0, left);
          fail(new Died(`died in the middle of ${path}`));
          await end;
          throw new Died();
        }
        if (left !== undefined) left -= chunk.byteLength;
        troubles.#take(path, chunk.byteLength);
        yield chunk;
      }
    }
    return { troubled: troubled(), death };
  }

  end(): void {
    this.away = undefined;
    this.room = undefined;
    this.deathAfter = undefined;
    this.#waiting.clear();
    this.#end.settle();
    this.#end = deferred();
  }

  #take(path: string, bytes: number): void {
    if (this.room === undefined) return;
    if (bytes > this.room) throw new StorageError("FULL", { place: this.#place, path, reason: "as told" });
    this.room -= bytes;
  }
}

function deferred<T = void>() {
  let settle!: (value: T) => void;
  let fail!: (error: Error) => void;
  const promise = new Promise<T>((resolve, reject) => {
    settle = resolve;
    fail = reject;
  });
  return { promise, settle, fail };
}

function abortOf(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener("abort", () => resolve(), { once: true });
  });
}

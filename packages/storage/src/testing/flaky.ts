import { Readable } from "node:stream";
import type { FaultCode } from "../faults.ts";
import type {
  Capabilities,
  Content,
  Entry,
  Expected,
  Fingerprint,
  GetOptions,
  Health,
  Listed,
  PutOptions,
  Storage,
} from "../storage.ts";
import { StorageError } from "../storage-error.ts";
import { type Hang, type Operation, Troubles } from "./troubles.ts";

export { Died, type Hang, type Operation } from "./troubles.ts";

/**
 * Wraps a storage and makes it fail on demand, for tests of code that uses a slow, full, unreachable or failing place.
 */
export class FlakyStorage implements Storage {
  readonly place: string;
  readonly #inner: Storage;
  readonly #troubles: Troubles;

  constructor(inner: Storage) {
    this.#inner = inner;
    this.place = inner.place;
    this.#troubles = new Troubles(inner.place);
  }

  /** The next calls of an operation fail before they do anything. */
  failNext(operation: Operation, failure: FaultCode | Error, times = 1): void {
    const error =
      typeof failure === "string"
        ? new StorageError(failure, { place: this.place, reason: "as told" })
        : failure;
    for (let count = 0; count < times; count++) this.#troubles.add(operation, { kind: "fail", error });
  }

  /** The next call of an operation does nothing until it is released, or until its signal aborts. */
  hangNext(operation: Operation): Hang {
    return this.#troubles.addHang(operation);
  }

  /** The next call of an operation does its work, but its caller gets `Died` instead of the result. */
  dieAfterNext(operation: Operation): void {
    this.#troubles.add(operation, { kind: "die-after" });
  }

  /**
   * The next `put` gets this many bytes and then fails with `Died`; the bytes written stay as they are, as after a
   * kill.
   */
  dieMidWrite(bytes: number): void {
    this.#troubles.deathAfter = bytes;
  }

  /** Every operation fails with a fault of the destination until `comeBack`. */
  goAway(code: FaultCode = "UNREACHABLE"): void {
    this.#troubles.away = code;
  }

  comeBack(): void {
    this.#troubles.away = undefined;
  }

  /** Ends every trouble: calls that hang continue, and writes that died close their files. */
  recover(): void {
    this.#troubles.end();
  }

  /** The place is full after this many bytes. Undefined: only the wrapped storage limits them. */
  fullAfter(bytes: number | undefined): void {
    this.#troubles.room = bytes;
  }

  async capabilities(): Promise<Capabilities> {
    return await this.#troubles.run("capabilities", () => this.#inner.capabilities());
  }

  async put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint> {
    source.on("error", () => {});
    try {
      return await this.#troubles.run(
        "put",
        async () => {
          const { troubled, death } = this.#troubles.feed(path, source);
          const done = this.#inner.put(path, Readable.from(troubled, { objectMode: false }), options);
          done.catch(() => {});
          return await Promise.race([done, death]);
        },
        options.signal,
      );
    } finally {
      source.destroy();
    }
  }

  async removeTemporaries(path: string, current: string): Promise<void> {
    await this.#troubles.run("removeTemporaries", () => this.#inner.removeTemporaries(path, current));
  }

  async get(path: string, options: GetOptions = {}): Promise<Content> {
    return await this.#troubles.run("get", () => this.#inner.get(path, options), options.signal);
  }

  async stat(path: string): Promise<Entry | undefined> {
    return await this.#troubles.run("stat", () => this.#inner.stat(path));
  }

  async checksum(path: string, signal?: AbortSignal): Promise<Fingerprint> {
    return await this.#troubles.run("checksum", () => this.#inner.checksum(path, signal), signal);
  }

  async *list(folder: string, options?: { recursive?: boolean }): AsyncGenerator<Listed> {
    yield* await this.#troubles.run("list", async () => this.#inner.list(folder, options));
  }

  async move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void> {
    await this.#troubles.run("move", () => this.#inner.move(from, to, expected, signal), signal);
  }

  async remove(path: string, signal?: AbortSignal): Promise<void> {
    await this.#troubles.run("remove", () => this.#inner.remove(path, signal), signal);
  }

  async makeFolder(path: string): Promise<void> {
    await this.#troubles.run("makeFolder", () => this.#inner.makeFolder(path));
  }

  async moveFolder(from: string, to: string): Promise<void> {
    await this.#troubles.run("moveFolder", () => this.#inner.moveFolder(from, to));
  }

  async removeFolderIfEmpty(path: string, options?: { upwards?: boolean }): Promise<boolean> {
    return await this.#troubles.run("removeFolderIfEmpty", () =>
      this.#inner.removeFolderIfEmpty(path, options),
    );
  }

  async freeSpace(): Promise<number | undefined> {
    return await this.#troubles.run(
      "freeSpace",
      async () => this.#troubles.room ?? (await this.#inner.freeSpace()),
    );
  }

  async health(): Promise<Health> {
    try {
      return await this.#troubles.run("health", () => this.#inner.health());
    } catch (error) {
      if (error instanceof StorageError) return { ok: false, problem: error };
      throw error;
    }
  }

  async initMarker(): Promise<void> {
    await this.#troubles.run("initMarker", () => this.#inner.initMarker());
  }

  async close(): Promise<void> {
    this.recover();
    await this.#inner.close();
  }
}

import { closeSync, fdatasync, fdatasyncSync, openSync, realpathSync } from "node:fs";
import { promisify } from "node:util";
import { AndonError } from "@andon/contract";

/** A disk that takes longer than this is not waited for by the whole process, in ms. */
const QUICK_MS = 0.5;

/**
 * Makes commits survive a power cut. SQLite writes them to its log alone (`synchronous = normal`) and the log is synced here,
 * so that the event loop and other processes go on while the disk is at it.
 */
export class LogSync {
  readonly #path: string;
  #log: number | undefined;
  #tookMs = 0;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Resolves when everything that is committed by now is on the disk. Who is alone waits on the spot, if the disk is quick:
   * the way to a thread and back would take a third longer.
   */
  async sync(isAlone: boolean): Promise<void> {
    const begun = performance.now();
    try {
      if (isAlone && this.#tookMs <= QUICK_MS) fdatasyncSync(this.#opened());
      else await promisify(fdatasync)(this.#opened());
    } catch (error) {
      // The commit may outlive a power cut or not: whoever waits for it is told that nobody knows.
      const problem = `the log of the SQLite file could not be synced: ${(error as Error).message}`;
      throw new AndonError("STORE_UNAVAILABLE", { problem }, { cause: error });
    }
    this.#tookMs = performance.now() - begun;
  }

  close(): void {
    if (this.#log !== undefined) closeSync(this.#log);
    this.#log = undefined;
  }

  /** The first commit makes the log: beside the file itself, whatever link leads to it. It stays while a connection is open. */
  #opened(): number {
    this.#log ??= openSync(`${realpathSync(this.#path)}-wal`, "r+");
    return this.#log;
  }
}

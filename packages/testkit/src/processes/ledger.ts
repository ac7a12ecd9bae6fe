import { closeSync, openSync, readFileSync, writeSync } from "node:fs";

/** What handlers did, told outside of the engine. One line per entry, so that the order of lines is the order of things. */
export interface Entry {
  /** Microseconds of the machine's monotonic clock, the same in every process. */
  readonly at: number;
  readonly pid: number;
  readonly what: "start" | "step" | "end" | "threw" | "aborted" | "refused" | "killed" | "added";
  readonly queue: string;
  readonly job: string;
  readonly n: number;
  readonly keys: readonly string[];
  readonly attempt: number;
  /** Step of a job with several, or the cause of an abort. */
  readonly detail: string;
}

/** A file that every process appends to: with O_APPEND a line is one write, and lines never mix. */
export class Ledger {
  readonly path: string;
  readonly #file: number;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, "a");
  }

  note(entry: Partial<Entry> & Pick<Entry, "what">): void {
    const at = Number(process.hrtime.bigint() / 1_000n);
    const whole = {
      at,
      pid: process.pid,
      queue: "",
      job: "",
      n: 0,
      keys: [],
      attempt: 0,
      detail: "",
      ...entry,
    };
    writeSync(this.#file, `${JSON.stringify(whole)}\n`);
  }

  /** Entries so far, of one queue where one is named. A line that is still being written is left out. */
  read(queue?: string): Entry[] {
    const lines = readFileSync(this.path, "utf8").split("\n").slice(0, -1);
    const entries = lines.map((line) => JSON.parse(line) as Entry);
    return queue === undefined ? entries : entries.filter((entry) => entry.queue === queue);
  }

  close(): void {
    closeSync(this.#file);
  }
}

import { closeSync, openSync, readSync, writeSync } from "node:fs";

/** The ledger of a run of hours is longer than a string can be, so it is read in parts. */
const PART_BYTES = 16 * 1024 * 1024;

/** What handlers did, recorded outside the engine. One line per entry, so the order of lines is the order of events. */
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
  /** The step of a job with several, or the cause of an abort. */
  readonly detail: string;
}

/** A file that every process appends to: with O_APPEND a line is one write, and lines never mix. */
export class Ledger {
  readonly path: string;
  readonly #file: number;
  readonly #entries: Entry[] = [];
  readonly #part = Buffer.allocUnsafeSlow(PART_BYTES);
  #seen = 0;

  constructor(path: string) {
    this.path = path;
    this.#file = openSync(path, "a+");
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

  /** All entries so far, or those of one queue. A line that is still being written is left out. */
  read(queue?: string): Entry[] {
    this.#catchUp();
    return this.#entries.filter((entry) => queue === undefined || entry.queue === queue);
  }

  /** Reads what was added since the last time: tests read often, and ledgers get long. */
  #catchUp(): void {
    const part = this.#part;
    for (;;) {
      const length = readSync(this.#file, part, 0, part.length, this.#seen);
      const whole = part.subarray(0, part.subarray(0, length).lastIndexOf("\n") + 1);
      if (whole.length === 0) return;
      this.#seen += whole.length;
      for (const line of whole.toString("utf8").split("\n").slice(0, -1))
        this.#entries.push(JSON.parse(line) as Entry);
    }
  }

  close(): void {
    closeSync(this.#file);
  }
}

import type { Shell } from "./shell.ts";
import { cutTo } from "./width.ts";

const CLEAR_REST = "\u001b[J";
const up = (lines: number) => (lines > 1 ? `\u001b[${lines - 1}A` : "");

/** Lines of a terminal that are redrawn in place. Writes nothing if the stream is not a terminal. */
export class LiveBlock {
  readonly #stream: Shell["stderr"];
  #shown = 0;

  constructor(stream: Shell["stderr"]) {
    this.#stream = stream;
  }

  show(lines: readonly string[]): void {
    if (this.#stream.isTTY !== true) return;
    // A line that the terminal wraps takes two rows, and the next drawing would start in the wrong row.
    const width = this.#stream.columns || undefined;
    const fitting = width === undefined ? lines : lines.map((line) => cutTo(line, width));
    this.#stream.write(`\r${up(this.#shown)}${CLEAR_REST}${fitting.join("\n")}`);
    this.#shown = lines.length;
  }

  /** Erases the block, so that the next output starts on a clean line. */
  end(): void {
    if (this.#shown > 0) this.#stream.write(`\r${up(this.#shown)}${CLEAR_REST}`);
    this.#shown = 0;
  }
}

import type { Shell } from "./shell.ts";
import { cutTo } from "./width.ts";

const CLEAR_REST = "\u001b[J";
const up = (lines: number) => (lines > 1 ? `\u001b[${lines - 1}A` : "");

/** Some lines of a terminal that are written again and again; where the stream is none, nothing is. */
export class LiveBlock {
  readonly #stream: Shell["stderr"];
  #shown = 0;

  constructor(stream: Shell["stderr"]) {
    this.#stream = stream;
  }

  show(lines: readonly string[]): void {
    if (this.#stream.isTTY !== true) return;
    // A line that the terminal breaks would be two, and the next drawing would begin in the wrong place.
    const width = this.#stream.columns || undefined;
    const fitting = width === undefined ? lines : lines.map((line) => cutTo(line, width));
    this.#stream.write(`\r${up(this.#shown)}${CLEAR_REST}${fitting.join("\n")}`);
    this.#shown = lines.length;
  }

  /** Takes it away: what follows starts on a clean line. */
  end(): void {
    if (this.#shown > 0) this.#stream.write(`\r${up(this.#shown)}${CLEAR_REST}`);
    this.#shown = 0;
  }
}

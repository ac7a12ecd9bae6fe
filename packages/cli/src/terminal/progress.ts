import type { Shell } from "./shell.ts";

const WIDTH = 30;
/** Work with fewer steps shows no bar. */
const FEWEST = 2;

/** A progress bar on one line of a terminal, redrawn in place. */
export class Progress {
  readonly #stream: Shell["stderr"];
  readonly #total: number;
  #done = 0;

  constructor(stream: Shell["stderr"], total: number) {
    this.#stream = stream;
    this.#total = total;
    this.#draw();
  }

  advance(): void {
    this.at(this.#done + 1);
  }

  at(done: number): void {
    this.#done = done;
    this.#draw();
  }

  /** Erases the bar, so that the next output starts on a clean line. */
  end(): void {
    if (this.#isShown) this.#stream.write("\r\u001b[K");
  }

  get #isShown(): boolean {
    return this.#stream.isTTY === true && this.#total >= FEWEST;
  }

  #draw(): void {
    if (!this.#isShown) return;
    const full = Math.round((this.#done / this.#total) * WIDTH);
    const bar = "█".repeat(full) + "░".repeat(WIDTH - full);
    this.#stream.write(`\r${bar} ${this.#done}/${this.#total}`);
  }
}

import type { Shell } from "./shell.ts";

const WIDTH = 30;
/** Work that is over sooner shows no bar. */
const FEWEST = 2;

/** How far some work is, on one line of a terminal that is written again and again. */
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

  /** Takes the bar away: what follows starts on a clean line. */
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

import type { Language } from "@andon/contract";
import { type Facts, type Localized, say } from "../i18n/localized.ts";
import { WORDS } from "../i18n/words.ts";
import type { ErrorDescription } from "./failures.ts";
import { coloured, type Paint, uncoloured } from "./paint.ts";
import { Progress } from "./progress.ts";
import type { Shell } from "./shell.ts";
import { type Column, list, table } from "./table.ts";
import { onOneLine } from "./width.ts";

export interface OutputOptions {
  readonly json: boolean;
  readonly color: boolean;
}

/** What the command writes: answers to stdout, for people or for programs; everything else to stderr. */
export class Output {
  readonly isJson: boolean;
  readonly paint: Paint;
  readonly language: Language;
  readonly #shell: Shell;
  readonly #isColoured: boolean;

  constructor(options: OutputOptions, shell: Shell, language: Language) {
    this.isJson = options.json;
    this.language = language;
    this.#shell = shell;
    this.#isColoured = options.color && !shell.env.NO_COLOR;
    this.paint = this.#isColoured && shell.stdout.isTTY ? coloured : uncoloured;
  }

  get isTerminal(): boolean {
    return this.#shell.stdout.isTTY === true;
  }

  say(said: Localized, facts?: Facts): string {
    return say(said, this.language, facts);
  }

  /** Writes the server's answer, unchanged as JSON or formatted for people. */
  answer(value: unknown, forPeople: () => string): void {
    this.line(this.isJson ? JSON.stringify(value, null, 2) : forPeople());
  }

  line(text: string): void {
    this.#shell.stdout.write(`${text}\n`);
  }

  /** `margin` is the number of terminal columns left free beside the table. */
  table<Row>(columns: readonly Column<Row>[], rows: readonly Row[], margin = 0): string {
    if (rows.length === 0) return this.paint("dim", this.say(WORDS.nothing));
    const width = this.width === undefined ? undefined : this.width - margin;
    return table(columns, rows, { paint: this.paint, width });
  }

  /** The columns of the terminal. Undefined if stdout is not a terminal, or if its width is unknown. */
  get width(): number | undefined {
    // A terminal that does not know its width reports 0.
    return this.isTerminal ? this.#shell.stdout.columns || undefined : undefined;
  }

  list(pairs: Parameters<typeof list>[0]): string {
    return list(pairs, this.paint);
  }

  /** Something that is not the answer, such as that the connection was lost. */
  note(said: Localized, facts?: Facts): void {
    this.#shell.stderr.write(`${this.#errorPaint("dim", this.say(said, facts))}\n`);
  }

  /** Text for a person who is about to decide. It goes to stderr, because stdout carries only the answer. */
  aside(text: string): void {
    this.#shell.stderr.write(`${text}\n`);
  }

  failure({ message, code, hint }: ErrorDescription): void {
    const head = this.#errorPaint("red", this.say(WORDS.error));
    const suffix = code === undefined ? "" : ` [${code}]`;
    this.#shell.stderr.write(`${head} ${message.split("\n").map(onOneLine).join("\n")}${suffix}\n`);
    if (hint !== undefined) this.#shell.stderr.write(`${hint}\n`);
  }

  /** A progress bar on a terminal; nothing if stderr is a file. */
  progress(total: number): Progress {
    return new Progress(this.#shell.stderr, total);
  }

  get #errorPaint(): Paint {
    return this.#isColoured && this.#shell.stderr.isTTY ? coloured : uncoloured;
  }
}

import { closeSync, openSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { extractFailure } from "../extract-failure.ts";
import type { ExtractResult } from "../port.ts";
import { TextFacts } from "./text-facts.ts";

const TEXT_FILE = "text.txt";
const WRITE_AT = 2 ** 18;
/** A document with more text than this is meant to fill a disk; the Bible has 4 MB. */
const MOST_CHARACTERS = 256 * 2 ** 20;

/** The extracted text. It is written in pieces, so that its length costs no memory, and counted on the way. */
export class TextOutput {
  readonly #file: number;
  readonly #facts = new TextFacts();
  #pending: string[] = [];
  #pendingLength = 0;

  constructor(workFolder: string) {
    this.#file = openSync(join(workFolder, TEXT_FILE), "w");
  }

  write(text: string): void {
    this.#facts.add(text);
    if (this.#facts.characters > MOST_CHARACTERS)
      throw extractFailure("EXTRACT_BOMB", `the file has more than ${MOST_CHARACTERS} characters of text`);
    this.#pending.push(text);
    this.#pendingLength += text.length;
    if (this.#pendingLength >= WRITE_AT) this.#flush();
  }

  /** The properties of the written text. */
  finish(): Pick<ExtractResult, "textFile" | "characters" | "confidence" | "language"> {
    this.#flush();
    const { characters, readableShare, language } = this.#facts;
    return { textFile: TEXT_FILE, characters, confidence: readableShare, ...(language ? { language } : {}) };
  }

  /** Must be called in any case. */
  close(): void {
    closeSync(this.#file);
  }

  #flush(): void {
    const text = this.#pending.join("");
    this.#pending = [];
    this.#pendingLength = 0;
    if (text !== "") writeFileSync(this.#file, text);
  }
}

/** Runs `fill` with an output that is closed in any case. */
export async function writingText<T>(
  workFolder: string,
  fill: (output: TextOutput) => Promise<T>,
): Promise<T> {
  const output = new TextOutput(workFolder);
  try {
    return await fill(output);
  } finally {
    output.close();
  }
}

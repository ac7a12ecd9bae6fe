import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { Readable } from "node:stream";
import { openStorage, type Storage } from "@andon/storage";

/** An output with more bytes than this is stored outside the row, as a reference. */
export const LARGEST_IN_ROW = 4_096;

/**
 * The storage of large inputs, outputs and logs of executions. A reference is a path in it: `executions/<id>/<stage>/<name>`.
 */
export class References {
  readonly #storage: Promise<Storage>;

  constructor(url: string) {
    this.#storage = openStorage(url);
    this.#storage.catch(() => {});
  }

  /** Stores a local file. Replaces what an earlier attempt left. */
  async putFile(ref: string, file: string, signal: AbortSignal): Promise<{ ref: string; size: number }> {
    const { size } = await stat(file);
    return this.#put(ref, () => createReadStream(file), size, signal);
  }

  async putText(ref: string, text: string, signal: AbortSignal): Promise<{ ref: string; size: number }> {
    const bytes = Buffer.from(text);
    return this.#put(ref, () => Readable.from([bytes]), bytes.length, signal);
  }

  async #put(ref: string, open: () => Readable, size: number, signal: AbortSignal) {
    const storage = await this.#storage;
    // An earlier attempt may have left other bytes, and `put` does not overwrite.
    await storage.remove(ref, signal);
    await storage.put(ref, open(), { temporary: `${ref.replaceAll("/", "-")}-1`, size, signal });
    return { ref, size };
  }

  async read(ref: string, range?: { start: number; end: number }) {
    return (await this.#storage).get(ref, range ? { range } : {});
  }

  /** The beginning of a text, cut after a complete character. */
  async readText(ref: string, mostBytes: number): Promise<{ text: string; isCut: boolean }> {
    const { stream, size } = await this.read(ref, { start: 0, end: mostBytes });
    const bytes = Buffer.concat(await stream.toArray());
    const text = new TextDecoder().decode(bytes, { stream: true });
    return { text, isCut: size > bytes.length };
  }

  /** Removes everything that a stage, or a whole execution, has stored. */
  async removeBelow(folder: string): Promise<void> {
    const storage = await this.#storage;
    const found: string[] = [];
    for await (const { path, kind } of storage.list(folder, { recursive: true }))
      if (kind === "file") found.push(path);
    for (const path of found) await storage.remove(path);
  }

  async health() {
    return (await this.#storage).health();
  }

  async close(): Promise<void> {
    await (await this.#storage.catch(() => undefined))?.close();
  }
}

export const refOf = (executionId: string, stage: string, name: string) =>
  `executions/${executionId}/${stage}/${name}`;

import { createWriteStream } from "node:fs";
import { mkdir, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import type { ObjectContent } from "@andon/app";

interface Copy {
  readonly folder: string;
  readonly file: Promise<string>;
  lastUsed: number;
}

/** Copies that were not used for this long are removed. */
const KEPT_MS = 120_000;

/**
 * Local copies of the objects of running executions, in a folder of this process: the stages of an execution that run here fetch
 * its object once.
 */
export class WorkingCopies {
  readonly #copies = new Map<string, Copy>();
  #root: Promise<string> | undefined;

  /** The object as a file, and a folder for the output of a stage. */
  async of(
    executionId: string,
    stage: string,
    open: () => Promise<ObjectContent>,
    signal: AbortSignal,
  ): Promise<{ file: string; outputFolder: string }> {
    await this.#removeOld();
    let copy = this.#copies.get(executionId);
    if (!copy) {
      const folder = join(await this.#rootFolder(), executionId);
      copy = { folder, file: fetchTo(folder, open, signal), lastUsed: Date.now() };
      this.#copies.set(executionId, copy);
      copy.file.catch(() => this.#copies.delete(executionId));
    }
    copy.lastUsed = Date.now();
    const file = await copy.file;
    const outputFolder = join(copy.folder, stage);
    await mkdir(outputFolder, { recursive: true });
    return { file, outputFolder };
  }

  async drop(executionId: string): Promise<void> {
    const copy = this.#copies.get(executionId);
    this.#copies.delete(executionId);
    if (copy) await rm(copy.folder, { recursive: true, force: true });
  }

  async close(): Promise<void> {
    this.#copies.clear();
    if (this.#root) await rm(await this.#root, { recursive: true, force: true });
    this.#root = undefined;
  }

  async #removeOld(): Promise<void> {
    const old = [...this.#copies].filter(([, { lastUsed }]) => Date.now() - lastUsed > KEPT_MS);
    for (const [id] of old) await this.drop(id);
  }

  async #rootFolder(): Promise<string> {
    this.#root ??= mkdtemp(join(tmpdir(), "andon-objects-"));
    return this.#root;
  }
}

async function fetchTo(
  folder: string,
  open: () => Promise<ObjectContent>,
  signal: AbortSignal,
): Promise<string> {
  await mkdir(folder, { recursive: true });
  const file = join(folder, "object");
  const { stream, size } = await open();
  await pipeline(stream, createWriteStream(file), { signal });
  const written = (await stat(file)).size;
  if (written !== size) throw new Error(`the object has ${size} bytes, but ${written} were received`);
  return file;
}

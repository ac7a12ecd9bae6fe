import { type AndonError, isAndonError } from "@andon/contract";
import type { Tx } from "@andon/engine";
import { change } from "../change.ts";
import type { VaultParts } from "../parts.ts";
import { insertFiles, type NewFile, type Uploaded } from "./insert-files.ts";

interface Waiting {
  readonly file: NewFile;
  resolve(uploaded: Uploaded): void;
  reject(error: unknown): void;
}

const MOST_AT_ONCE = 64;

/**
 * Where uploads become files. Those of one tenant that come while others are being written go into the next transaction
 * together: with many small files the writing takes longer than the bytes. Nobody is answered before the commit.
 */
export class Intake {
  readonly #parts: VaultParts;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(parts: VaultParts) {
    this.#parts = parts;
  }

  take(tenantId: string, file: NewFile): Promise<Uploaded> {
    return new Promise((resolve, reject) => {
      const line = this.#waiting.get(tenantId);
      if (line) {
        line.push({ file, resolve, reject });
        return;
      }
      const first = [{ file, resolve, reject }];
      this.#waiting.set(tenantId, first);
      void this.#writeAll(tenantId, first);
    });
  }

  async #writeAll(tenantId: string, line: Waiting[]): Promise<void> {
    while (line.length > 0) await this.#write(tenantId, line.splice(0, MOST_AT_ONCE));
    this.#waiting.delete(tenantId);
  }

  async #write(tenantId: string, group: readonly Waiting[]): Promise<void> {
    let answers: (Uploaded | AndonError)[];
    try {
      const files = group.map(({ file }) => file);
      const insert = (tx: Tx) => insertFiles(this.#parts, tx, tenantId, files);
      answers = await change(this.#parts, insert, "upload");
    } catch (error) {
      // Where only the answer was lost, the files are there: written again they would be refused for their own names.
      const isUnknown = this.#parts.andon.store.isUnavailable(error);
      if (group.length === 1 || isUnknown) for (const { reject } of group) reject(error);
      else for (const one of group) await this.#write(tenantId, [one]);
      return;
    }
    for (const [index, { resolve, reject }] of group.entries()) {
      const answer = answers[index] as Uploaded | AndonError;
      if (isAndonError(answer)) reject(answer);
      else resolve(answer);
    }
  }
}

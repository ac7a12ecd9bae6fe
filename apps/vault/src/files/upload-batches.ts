import { type AndonError, isAndonError } from "@andon/contract";
import { type Tx, type Waiting, writeTogether } from "@andon/engine";
import { change } from "../change.ts";
import type { VaultContext } from "../vault-context.ts";
import { insertFiles, type NewFile, type Uploaded } from "./insert-files.ts";

const MOST_AT_ONCE = 64;

type Coming = Waiting<NewFile, Uploaded | AndonError>;

/**
 * Turns uploads into files. Uploads of one tenant that arrive while others are being written share the next
 * transaction: with many small files, the commits take longer than the bytes. Each upload is answered only after its
 * commit.
 */
export class UploadBatches {
  readonly #vault: VaultContext;
  readonly #waiting = new Map<string, Coming[]>();

  constructor(vault: VaultContext) {
    this.#vault = vault;
  }

  take(tenantId: string, file: NewFile): Promise<Uploaded> {
    return new Promise((resolve, reject) => {
      const answer = (answer: Uploaded | AndonError) => {
        if (isAndonError(answer)) reject(answer);
        else resolve(answer);
      };
      const coming = { item: file, resolve: answer, reject };
      const line = this.#waiting.get(tenantId);
      if (line) {
        line.push(coming);
        return;
      }
      const first = [coming];
      this.#waiting.set(tenantId, first);
      void this.#writeAll(tenantId, first);
    });
  }

  async #writeAll(tenantId: string, line: Coming[]): Promise<void> {
    const { store } = this.#vault.andon;
    const write = (files: readonly NewFile[]) =>
      change(this.#vault, (tx: Tx) => insertFiles(this.#vault, tx, tenantId, files), "upload");
    while (line.length > 0) await writeTogether(store, line.splice(0, MOST_AT_ONCE), write);
    this.#waiting.delete(tenantId);
  }
}

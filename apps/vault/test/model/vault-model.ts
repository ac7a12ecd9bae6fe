import { createHash } from "node:crypto";

export type Folder = { name: string; parentId: string; state: "ACTIVE" | "TRASHED" };
export type File = { name: string; folderId: string; state: "ACTIVE" | "TRASHED" | "DELETED"; bytes: string };

/** The acknowledged state, which the store and the NAS are compared with. */
export class VaultModel {
  readonly folders = new Map<string, Folder>();
  readonly files = new Map<string, File>();

  activeFolders(): string[] {
    return ["root", ...[...this.folders].filter(([, { state }]) => state === "ACTIVE").map(([id]) => id)];
  }

  filesIn(...states: File["state"][]): string[] {
    return [...this.files].filter(([, { state }]) => states.includes(state)).map(([id]) => id);
  }

  pathOf(id: string): string {
    const folder = this.folders.get(id);
    if (!folder) return "";
    const parent = this.pathOf(folder.parentId);
    return parent === "" ? folder.name : `${parent}/${folder.name}`;
  }

  /** The expected files on the NAS when no operation is left: digests by path. */
  onNas(): Record<string, string> {
    const lying: [string, string][] = [];
    for (const [id, { name, folderId, state, bytes }] of this.files) {
      if (state === "DELETED") continue;
      const folder = state === "TRASHED" ? `.trash/${id}` : this.pathOf(folderId);
      lying.push([folder === "" ? name : `${folder}/${name}`, digestOf(bytes)]);
    }
    return Object.fromEntries(lying);
  }
}

export function digestOf(bytes: string | Uint8Array): string {
  return createHash("sha256").update(bytes).digest("hex");
}

/** A small random generator with a seed, so that a run can be repeated. */
export class Chance {
  #state: number;
  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** From 0 up to, but not including, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  }

  pick<T>(items: readonly T[]): T {
    return items[Math.floor(this.next() * items.length)] as T;
  }
}

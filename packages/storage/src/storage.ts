import type { Readable } from "node:stream";
import type { StorageError } from "./storage-error.ts";

/**
 * A place for bytes. Paths are relative, made of names with `/` between them; `""` is the root. Every operation that
 * changes something may be run again after a crash and ends in the same place. Nothing is ever overwritten, and no file
 * is ever seen half-written under its real name. Failures are `StorageError`s; an aborted signal throws its reason.
 */
export interface Storage {
  /** What to call this place in messages. It holds no secrets. */
  readonly place: string;

  capabilities(): Promise<Capabilities>;

  /**
   * Stores what the source gives, whole or not at all. Where the same bytes lie at the path already, that is a success;
   * other bytes are `TARGET_EXISTS`. The source is used up or destroyed in any case, and its own errors come out as they are.
   */
  put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint>;

  /**
   * Removes what earlier claims of a job left unfinished at this path, so that none of them can finish late.
   * `current` is the temporary of the claim that asks; it stays, and so do later ones.
   */
  removeTemporaries(path: string, current: string): Promise<void>;

  /** The bytes of a file. The stream fails rather than end early. */
  get(path: string, options?: GetOptions): Promise<Content>;

  /** Undefined only where the place is well and has nothing there. */
  stat(path: string): Promise<Entry | undefined>;

  /** Reads the whole file. */
  checksum(path: string, signal?: AbortSignal): Promise<Fingerprint>;

  /** Everything in a folder, also what is not ours; nothing where there is no such folder. */
  list(folder: string, options?: { recursive?: boolean }): AsyncIterable<Listed>;

  /**
   * Moves a file that is known by its size, and by its checksum where that is at hand. A source that is gone while the
   * expected bytes lie at the target was moved by an earlier run.
   */
  move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void>;

  /** Removes a file, if there is one. After the signal has aborted nothing goes: a call that hung must not take what came later. */
  remove(path: string, signal?: AbortSignal): Promise<void>;

  makeFolder(path: string): Promise<void>;

  /** Moves an empty folder to where nothing or another empty folder is. */
  moveFolder(from: string, to: string): Promise<void>;

  /**
   * Removes an empty folder, with `upwards` also the parents that become empty by it, never the root. Tells whether the
   * folder is gone.
   */
  removeFolderIfEmpty(path: string, options?: { upwards?: boolean }): Promise<boolean>;

  /** Bytes that can still be stored; undefined where the place does not know. */
  freeSpace(): Promise<number | undefined>;

  /** Asks the place itself, with a write where that is cheap. Never throws. */
  health(): Promise<Health>;

  /**
   * Leaves the mark by which a mounted place is known from an unmounted one. Only for whoever knows that this place was
   * never in use: on an unmounted share it would make the wrong folder look right. Nothing to do where no mark is kept.
   */
  initMarker(): Promise<void>;

  close(): Promise<void>;
}

export interface Capabilities {
  /**
   * `refused`: the place itself refuses to overwrite. `looked-up`: it cannot, so we look first, one at a time within this
   * process; a stranger's file that appears between the look and the write would be overwritten.
   */
  readonly overwriting: "refused" | "looked-up";
  /** `implied`: a folder is there while something is in it. */
  readonly folders: "real" | "implied";
}

/** What a file is known by. The checksum is SHA-256 in hex. */
export interface Fingerprint {
  readonly size: number;
  readonly sha256: string;
}

export interface Expected {
  readonly size: number;
  readonly sha256?: string | undefined;
}

export interface PutOptions extends Partial<Expected> {
  /** Names the unfinished file: `<jobId>-<fence>`, so that a newer claim of the job knows the older ones' leftovers. */
  readonly temporary: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes taken from the source so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

export interface GetOptions {
  /** Bytes `start` up to, not including, `end`; what lies beyond the file's end is left out. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Content {
  readonly stream: Readable;
  /** Of the whole file. */
  readonly size: number;
  /** Of what the stream gives. */
  readonly length: number;
}

/** `own`: the marker and unfinished files. `other`: links, devices, names that are no text. */
export type EntryKind = "file" | "folder" | "own" | "other";

export interface Entry {
  readonly kind: EntryKind;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

export interface Listed extends Entry {
  readonly path: string;
}

export type Health = { readonly ok: true } | { readonly ok: false; readonly problem: StorageError };

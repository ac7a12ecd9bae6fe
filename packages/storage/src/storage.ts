import type { Readable } from "node:stream";
import type { StorageError } from "./storage-error.ts";

/**
 * A place that stores files. Paths are relative: names separated by `/`; `""` is the root. Every operation that changes
 * something can be repeated after a crash, with the same result. Nothing is ever overwritten, and no file is ever
 * visible half-written under its real name. Failures are `StorageError`s; an aborted signal throws its reason.
 */
export interface Storage {
  /** The name of this place in messages. Contains no secrets. */
  readonly place: string;

  capabilities(): Promise<Capabilities>;

  /**
   * Stores the bytes of the source, all or nothing. If the same bytes exist at the path already, that is a success;
   * other bytes are `TARGET_EXISTS`. The source is always consumed or destroyed, and its own errors are thrown
   * unchanged.
   */
  put(path: string, source: Readable, options: PutOptions): Promise<Fingerprint>;

  /**
   * Removes what earlier claims of a job left unfinished at this path, so that none of them can finish late. `current`
   * is the temporary name of the calling claim; its file stays, and so do those of later claims.
   */
  removeTemporaries(path: string, current: string): Promise<void>;

  /** Reads a file. The stream fails rather than end early. */
  get(path: string, options?: GetOptions): Promise<Content>;

  /** Undefined only if the place is healthy and has no entry at the path. */
  stat(path: string): Promise<Entry | undefined>;

  /** Reads the whole file. */
  checksum(path: string, signal?: AbortSignal): Promise<Fingerprint>;

  /** Every entry of a folder, also entries that this program did not create; none if the folder does not exist. */
  list(folder: string, options?: { recursive?: boolean }): AsyncIterable<Listed>;

  /**
   * Moves a file that has this size, and this checksum if it is given. If the source is missing and the expected bytes
   * are at the target, an earlier run has moved it.
   */
  move(from: string, to: string, expected: Expected, signal?: AbortSignal): Promise<void>;

  /**
   * Removes a file, if it exists. Removes nothing after the signal has aborted: a call that hung must not remove a
   * newer file.
   */
  remove(path: string, signal?: AbortSignal): Promise<void>;

  makeFolder(path: string): Promise<void>;

  /** Moves an empty folder to a free path, or to the path of another empty folder. */
  moveFolder(from: string, to: string): Promise<void>;

  /**
   * Removes an empty folder; with `upwards`, also the parents that become empty, but never the root. Answers whether
   * the folder is gone.
   */
  removeFolderIfEmpty(path: string, options?: { upwards?: boolean }): Promise<boolean>;

  /** The number of bytes that can still be stored; undefined if the place does not report it. */
  freeSpace(): Promise<number | undefined>;

  /** Checks the place, with a write if that is cheap. Never throws. */
  health(): Promise<Health>;

  /**
   * Creates the marker that tells a mounted place from an unmounted one. Call it only for a place that was never in
   * use: on an unmounted share it would make the wrong folder look right. Does nothing for a place without a marker.
   */
  initMarker(): Promise<void>;

  close(): Promise<void>;
}

export interface Capabilities {
  /**
   * `refused`: the place itself refuses to overwrite. `looked-up`: it cannot, so the name is looked up first, for one
   * file at a time in this process; a file that another program creates between the lookup and the write would be
   * overwritten.
   */
  readonly overwriting: "refused" | "looked-up";
  /** `implied`: a folder exists only while it contains something. */
  readonly folders: "real" | "implied";
}

/** Identifies the content of a file. The checksum is SHA-256 in hex. */
export interface Fingerprint {
  readonly size: number;
  readonly sha256: string;
}

export interface Expected {
  readonly size: number;
  readonly sha256?: string | undefined;
}

export interface PutOptions extends Partial<Expected> {
  /**
   * The name of the unfinished file, `<jobId>-<fence>`: a newer claim of the job recognises the files of older claims.
   */
  readonly temporary: string;
  readonly signal?: AbortSignal | undefined;
  /** Called with the number of bytes read from the source so far. */
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

export interface GetOptions {
  /** The bytes from `start` up to, but not including, `end`; a part beyond the end of the file is left out. */
  readonly range?: { readonly start: number; readonly end: number } | undefined;
  readonly signal?: AbortSignal | undefined;
}

export interface Content {
  readonly stream: Readable;
  /** The size of the whole file. */
  readonly size: number;
  /** The number of bytes in the stream. */
  readonly length: number;
}

/** `own`: the marker and unfinished files. `other`: links, devices, and names that are not valid text. */
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

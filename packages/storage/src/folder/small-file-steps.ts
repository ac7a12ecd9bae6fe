import { hash } from "node:crypto";
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readSync,
  realpathSync,
  statSync,
  unlinkSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { isInside, type RootIdentity, SAFELY, whereOf } from "./root-identity.ts";

/**
 * The orders and answers of a thread. The answer `undefined` means that the caller must take the ordinary, asynchronous
 * way.
 */
export interface PutOrder {
  readonly kind: "put";
  readonly root: RootIdentity;
  readonly temporary: string;
  readonly target: string;
  readonly bytes: Uint8Array;
  /** The expected checksum, if it is known. */
  readonly sha256: string | undefined;
}

export interface ReadOrder {
  readonly kind: "read";
  readonly root: RootIdentity;
  readonly file: string;
  readonly most: number;
}

export type Order = PutOrder | ReadOrder;
/** The checksum of the stored bytes. */
interface Stored {
  readonly sha256: string;
}
export type PutAnswer = Stored | "temporary-gone" | undefined;
export type ReadAnswer = Uint8Array | undefined;
export type Answer = PutAnswer | ReadAnswer;

/**
 * The usual case of a put and of a get, each as a sequence of blocking calls. Handing an order to a thread costs as
 * much as one asynchronous call, and a put makes about twenty of those. Anything unusual is left as it was and answered
 * with `undefined`; the ordinary way then finds the cause.
 */
export function carryOut(orders: readonly Order[], isCalledOff: (order: number) => boolean): Answer[] {
  const answers = orders.map((order, at) => answerOf(order, () => isCalledOff(at)));
  // The orders of one batch lie in few folders; each folder is synced once.
  const folders = orders.map((order, at) => (isStored(answers[at]) ? folderOf(order) : undefined));
  for (const folder of new Set(folders)) {
    if (folder === undefined || isSynced(folder)) continue;
    for (const [at, one] of folders.entries()) if (one === folder) answers[at] = undefined;
  }
  return answers;
}

function answerOf(order: Order, isCalledOff: () => boolean): Answer {
  try {
    return order.kind === "put" ? put(order, isCalledOff) : read(order);
  } catch {
    return undefined;
  }
}

function isStored(answer: Answer): answer is Stored {
  return typeof answer === "object" && "sha256" in answer;
}

function folderOf(order: Order): string {
  return dirname(order.kind === "put" ? order.target : order.file);
}

function put(order: PutOrder, isCalledOff: () => boolean): PutAnswer {
  const { root, temporary, target, bytes } = order;
  if (isCalledOff()) return undefined;
  const sha256 = hash("sha256", bytes);
  if (order.sha256 !== undefined && order.sha256 !== sha256) return undefined;
  mustBeRight(root);
  mustLieInside(root, folderOf(order));
  const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | SAFELY;
  const file = openSync(temporary, flags, 0o664);
  try {
    try {
      for (let at = 0; at < bytes.byteLength; ) at += writeSync(file, bytes, at);
      fsyncSync(file);
      if (fstatSync(file).size !== bytes.byteLength) return undefined;
    } finally {
      closeSync(file);
    }
    // The calls above can block for a long time. Meanwhile another claim may have stored the file and moved it.
    if (isCalledOff()) return undefined;
    try {
      linkSync(temporary, target);
    } catch (error) {
      // A newer claim has removed the temporary file. This claim must not finish late, so the put must not be repeated.
      if ((error as NodeJS.ErrnoException).code === "ENOENT") return "temporary-gone";
      throw error;
    }
  } finally {
    forget(temporary);
  }
  return { sha256 };
}

function isSynced(folder: string): boolean {
  try {
    const entries = openSync(folder, constants.O_RDONLY);
    try {
      fsyncSync(entries);
    } finally {
      closeSync(entries);
    }
    return true;
  } catch {
    return false;
  }
}

function read({ root, file, most }: ReadOrder): ReadAnswer {
  mustLieInside(root, dirname(file));
  const opened = openSync(file, constants.O_RDONLY | SAFELY);
  try {
    const info = fstatSync(opened);
    if (!info.isFile() || info.size > most) return undefined;
    const bytes = new Uint8Array(info.size);
    for (let at = 0; at < info.size; ) {
      const length = readSync(opened, bytes, at, info.size - at, at);
      if (length === 0) return undefined;
      at += length;
    }
    return bytes;
  } finally {
    closeSync(opened);
  }
}

function forget(temporary: string): void {
  try {
    unlinkSync(temporary);
  } catch {
    // Removed already, or left for the next claim to remove.
  }
}

function mustBeRight({ watched, isMarker, where }: RootIdentity): void {
  const seen = whereOf(statSync(watched, { bigint: true }), isMarker);
  if (seen !== where) throw new Error("another root");
}

function mustLieInside({ folder }: RootIdentity, path: string): void {
  if (!isInside(realpathSync.native(folder), realpathSync.native(path))) throw new Error("outside");
}

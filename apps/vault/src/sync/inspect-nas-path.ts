import { createHash } from "node:crypto";
import type { Fingerprint, Storage } from "@andon/storage";
import type { SyncPayload } from "./sync-job.ts";

/** How reading a large file reports progress, and is aborted. */
export interface ReadOptions {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/** Whether exactly these bytes are at a path. Sizes are compared first; the checksum reads the whole file. */
export async function hasBytes(
  storage: Storage,
  path: string,
  expected: Fingerprint,
  options: ReadOptions = {},
): Promise<boolean> {
  const entry = await storage.stat(path);
  if (entry?.kind !== "file" || entry.size !== expected.size) return false;
  return (await checksumOf(storage, path, options)) === expected.sha256;
}

/** Reads a whole file. Unlike the storage's own checksum it reports progress: a large file takes longer than a timeout. */
export async function checksumOf(
  storage: Storage,
  path: string,
  { signal, onProgress }: ReadOptions,
): Promise<string> {
  const hash = createHash("sha256");
  let bytes = 0;
  const { stream } = await storage.get(path, { signal });
  for await (const chunk of stream) {
    hash.update(chunk);
    bytes += chunk.length;
    onProgress?.(bytes);
  }
  return hash.digest("hex");
}

/** What is at the target of an operation and is not the file's bytes. */
export interface Occupant {
  readonly path: string;
  readonly kind: "file" | "folder" | "other";
  readonly size: number;
}

/**
 * What would make the operation fail again with TARGET_EXISTS. A repair quarantines a file that is there; a folder stays, also an
 * empty one. Undefined if the NAS does not answer.
 */
export async function occupantOf(
  nas: Storage,
  { targetPath: path, replaces }: SyncPayload,
): Promise<Occupant | undefined> {
  if (path === null) return undefined;
  try {
    const entry = await nas.stat(path);
    if (!entry || (replaces && entry.kind === "file")) return undefined;
    return { path, kind: entry.kind === "own" ? "other" : entry.kind, size: entry.size };
  } catch {
    return undefined;
  }
}

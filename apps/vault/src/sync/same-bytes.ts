import { createHash } from "node:crypto";
import type { Fingerprint, Storage } from "@andon/storage";

/** How a long reading tells that it goes on, and learns that it should not. */
export interface Reading {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((bytes: number) => void) | undefined;
}

/** Whether these very bytes lie at a path. Sizes are compared first; the checksum reads the whole file. */
export async function hasBytes(
  storage: Storage,
  path: string,
  expected: Fingerprint,
  reading: Reading = {},
): Promise<boolean> {
  const entry = await storage.stat(path);
  if (entry?.kind !== "file" || entry.size !== expected.size) return false;
  return (await checksumOf(storage, path, reading)) === expected.sha256;
}

/** Reads a whole file. Unlike the storage's own checksum it tells how far it is: a large file takes longer than a timeout. */
export async function checksumOf(
  storage: Storage,
  path: string,
  { signal, onProgress }: Reading,
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

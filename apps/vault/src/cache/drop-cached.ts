import type { Pace } from "../pace.ts";
import type { VaultParts } from "../parts.ts";

/** A job that removes bytes from the cache, since the transaction that forgets their file cannot. */
export const DROP_CACHED_JOB = "drop-cached";

export interface DroppedBytes {
  readonly path: string;
}

export async function dropCached(
  { cache }: VaultParts,
  { path }: DroppedBytes,
  { signal }: Pace,
): Promise<void> {
  await cache.remove(path, signal);
}

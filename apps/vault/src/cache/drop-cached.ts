import type { StepGuard } from "../step-guard.ts";
import type { VaultContext } from "../vault-context.ts";

/** The job that removes bytes from the cache, because the transaction that deletes their file cannot. */
export const DROP_CACHED_JOB = "drop-cached";

export interface DroppedBytes {
  readonly path: string;
}

export async function dropCached(
  { cache }: VaultContext,
  { path }: DroppedBytes,
  { signal }: StepGuard,
): Promise<void> {
  await cache.remove(path, signal);
}

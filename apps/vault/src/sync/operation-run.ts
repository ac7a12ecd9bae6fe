import type { Job } from "@andon/contract";
import type { HandlerContext } from "@andon/engine";
import type { VaultContext } from "../vault-context.ts";
import type { ReadOptions } from "./inspect-nas-path.ts";
import type { SyncPayload } from "./sync-job.ts";

/** One claim of one operation, with what its steps need. */
export interface OperationRun {
  readonly vault: VaultContext;
  readonly job: Job<SyncPayload>;
  readonly signal: AbortSignal;
  readonly readOptions: ReadOptions;
  /** The name of this claim's temporary file; every claim has its own. */
  readonly temporary: string;
  /** The number of this claim of its job, from 1. */
  readonly fence: number;
}

/** Progress is shown this often at most; the timeout restarts with every piece. */
const SHOWN_EVERY_MS = 1_000;

export function operationRun(
  vault: VaultContext,
  job: Job<SyncPayload>,
  context: HandlerContext,
): OperationRun {
  const { clock } = vault.andon.store;
  let shownAt = clock.now();
  const onProgress = (bytes: number) => {
    const now = clock.now();
    const isShown = now - shownAt >= SHOWN_EVERY_MS;
    if (isShown) shownAt = now;
    context.progress(isShown ? { bytes, size: job.payload.size } : undefined);
  };
  const { signal, fence } = context;
  return {
    vault,
    job,
    signal,
    readOptions: { signal, onProgress },
    temporary: `${job.id}-${fence}`,
    fence,
  };
}

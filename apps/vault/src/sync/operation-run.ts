import type { Job } from "@andon/contract";
import type { HandlerContext } from "@andon/engine";
import type { VaultParts } from "../parts.ts";
import type { SyncPayload } from "./payload.ts";
import type { Reading } from "./same-bytes.ts";

/** One claim of one operation, with what its steps need. */
export interface OperationRun {
  readonly parts: VaultParts;
  readonly job: Job<SyncPayload>;
  readonly signal: AbortSignal;
  readonly reading: Reading;
  /** The name of this claim's unfinished file; no other claim has the same. */
  readonly temporary: string;
  /** Which claim of its job this is, from 1. */
  readonly fence: number;
}

/** Progress that people see changes this often at the most; the timeout starts anew with every piece. */
const SHOWN_EVERY_MS = 1_000;

export function operationRun(
  parts: VaultParts,
  job: Job<SyncPayload>,
  context: HandlerContext,
): OperationRun {
  const { clock } = parts.andon.store;
  let shownAt = clock.now();
  const onProgress = (bytes: number) => {
    const now = clock.now();
    const isShown = now - shownAt >= SHOWN_EVERY_MS;
    if (isShown) shownAt = now;
    context.progress(isShown ? { bytes, size: job.payload.size } : undefined);
  };
  const { signal, fence } = context;
  return {
    parts,
    job,
    signal,
    reading: { signal, onProgress },
    temporary: `${job.id}-${fence}`,
    fence,
  };
}

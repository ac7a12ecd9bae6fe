import type { Job } from "@andon/contract";
import type { AppQueue, Handler } from "@andon/engine";
import { isStorageError } from "@andon/storage";
import type { VaultParts } from "../parts.ts";
import { sayingFaults } from "../said-faults.ts";
import { beforeSkip, type SkipFindings } from "./before-skip.ts";
import { forOperations } from "./for-operations.ts";
import { syncHandler } from "./handler.ts";
import { syncHooks } from "./hooks.ts";
import { syncWords } from "./words.ts";

/** The queue `nas-sync`, with what an operator's decision about it asks of the NAS first. */
export interface SyncQueue extends AppQueue {
  readonly beforeSkip: (job: Job) => Promise<SkipFindings>;
}

/**
 * Everything that the NAS has to follow. Attempts, waits and policies are the presets of the queue's mode (six attempts and
 * `auto` per file, three and `stop-queue` in serial mode); what a stop and a held file are called, and that the timeout
 * counts from progress, the host presets for the name `nas-sync`.
 */
export function nasSyncQueue(parts: VaultParts): SyncQueue {
  return {
    rules: {
      concurrency: 8,
      // Its writes lock the rows of one file, and no other operation of that file runs meanwhile.
      shareCommits: true,
      // A NAS that does not answer within the timeout hangs for everybody.
      classify: ({ error, code }) =>
        (isStorageError(error) && error.fault === "destination") || code === "TIMEOUT"
          ? "destination"
          : "job",
    },
    handler: sayingFaults(parts, syncHandler(parts)) as Handler<never>,
    hooks: forOperations(syncHooks(parts)),
    words: syncWords,
    beforeSkip: (job) => beforeSkip(parts, job),
  };
}

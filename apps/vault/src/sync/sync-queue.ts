import type { AppQueue } from "@andon/app";
import type { Handler } from "@andon/engine";
import { isStorageError } from "@andon/storage";
import { SYNC_QUEUE, type VaultContext } from "../vault-context.ts";
import { beforeSkip } from "./before-skip.ts";
import { syncHandler } from "./handler.ts";
import { syncHooks } from "./hooks.ts";
import { syncRehearsal } from "./rehearse.ts";
import { describeSyncJob } from "./sync-job.ts";

/**
 * The queue of operations that bring the NAS up to date. Attempts, waits and policies are the presets of the queue's mode (six
 * attempts and `auto` per file, three and `stop-queue` in serial mode).
 */
export function nasSyncQueue(vault: VaultContext): AppQueue {
  return {
    rules: {
      concurrency: 8,
      stopReason: "NAS_SYNC_FAILED",
      // A large upload that makes progress does not time out.
      timeoutFrom: "progress",
      // Its writes lock the rows of one file, and no other operation of that file runs meanwhile.
      shareCommits: true,
      // A NAS that does not answer within the timeout hangs for every file.
      classify: ({ error, code }) =>
        (isStorageError(error) && error.fault === "destination") || code === "TIMEOUT"
          ? "destination"
          : "job",
    },
    serial: { lease: "60s", sweep: "30s" },
    heldAlert: "FILE_SYNC_FAILED",
    handler: syncHandler(vault) as Handler<never>,
    hooks: syncHooks(vault),
    describe: describeSyncJob,
    beforeSkip: (job) => beforeSkip(vault, job),
    rehearse: syncRehearsal(vault),
    runbooks: {
      NOT_MOUNTED: "nas-away",
      UNREACHABLE: "nas-away",
      PROGRAM_MISSING: "nas-away",
      TIMEOUT: "nas-away",
      UNTRUSTED: "nas-away",
      TARGET_EXISTS: "file-held",
      SOURCE_CHANGED: "file-held",
      SOURCE_MISSING: "file-held",
      BYTES_MISSING: "file-held",
    },
  };
}

/** The first attempt is not a retry. */
export function maxRetriesOf({ queue }: Pick<VaultContext, "queue">): number {
  return queue(SYNC_QUEUE).rules.attempts - 1;
}

/** Writes the rules that the views of `nas-sync` show. At most starts they are written already. */
export async function saveSyncRules(vault: VaultContext): Promise<void> {
  const { store } = vault.andon;
  const maxRetries = maxRetriesOf(vault);
  const [kept] = await store.query<{ maxRetries: number }>(
    'select max_retries as "maxRetries" from vault_sync_rules where queue = $1',
    [SYNC_QUEUE],
  );
  if (kept?.maxRetries === maxRetries) return;
  await store.transaction("sync-rules", async (tx) => {
    await tx.query("update vault_sync_rules set max_retries = $2 where queue = $1", [SYNC_QUEUE, maxRetries]);
  });
}

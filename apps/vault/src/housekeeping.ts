import type { AppQueue } from "@andon/app";
import type { Job } from "@andon/contract";
import type { Andon } from "@andon/engine";
import { cleanCache } from "./cache/clean-cache.ts";
import { DROP_CACHED_JOB, type DroppedBytes, dropCached } from "./cache/drop-cached.ts";
import { forgetOperations } from "./folders/forget-operations.ts";
import { SETTLE_JOB, type Settlement } from "./folders/nas-request.ts";
import { settleFolder } from "./folders/settle-folder.ts";
import type { StepGuard } from "./step-guard.ts";
import { expireQuarantined } from "./trash/expire-quarantined.ts";
import { expireTrash } from "./trash/expire-trash.ts";
import { VAULT_QUEUE, type VaultContext } from "./vault-context.ts";

type Work = (vault: VaultContext, payload: unknown, guard: StepGuard) => Promise<void>;

const EMPTY_TRASH = "empty-trash";
const CLEAN_CACHE = "clean-cache";
const FORGET_OPERATIONS = "forget-operations";

/** What the jobs of the vault's own queue do, by their names. */
const WORK: Readonly<Record<string, Work>> = {
  [EMPTY_TRASH]: async (vault, _payload, guard) => {
    await expireTrash(vault, guard);
    await expireQuarantined(vault, guard);
  },
  [CLEAN_CACHE]: (vault, _payload, guard) => cleanCache(vault, guard),
  [FORGET_OPERATIONS]: (vault, _payload, guard) => forgetOperations(vault, guard),
  [DROP_CACHED_JOB]: (vault, payload, guard) => dropCached(vault, payload as DroppedBytes, guard),
  [SETTLE_JOB]: (vault, payload) => settleFolder(vault, payload as Settlement),
};

/**
 * The queue of the vault's own background work. A failure concerns one folder or one hour, so it never stops the queue.
 */
export function housekeepingQueue(vault: VaultContext): AppQueue {
  return {
    isSystem: true,
    rules: {
      attempts: 10,
      backoff: { delay: "30s", max: "15m" },
      timeout: "2m",
      timeoutFrom: "progress",
      onFinalFailure: "hold-lane",
      probe: false,
    },
    handler: async (job: Job, { signal, progress }) => {
      const work = WORK[job.name];
      if (!work) throw new Error(`the queue ${VAULT_QUEUE} has no work called ${job.name}`);
      const goOn = () => {
        signal.throwIfAborted();
        progress();
      };
      await work(vault, job.payload, Object.assign(goOn, { signal }));
    },
  };
}

/** Separate jobs, so that an unreachable NAS does not prevent the clean-up of the cache, nor the other way round. */
const SCHEDULES = [
  { name: "vault-empty-trash", cron: "7 * * * *", job: { name: EMPTY_TRASH } },
  { name: "vault-clean-cache", cron: "37 * * * *", job: { name: CLEAN_CACHE } },
  { name: "vault-forget-operations", cron: "52 * * * *", job: { name: FORGET_OPERATIONS } },
];

/** Each schedule runs once an hour in the whole fleet. */
export async function scheduleHousekeeping(andon: Andon): Promise<void> {
  for (const schedule of SCHEDULES) {
    await andon.schedules.put({ ...schedule, queue: VAULT_QUEUE, timeZone: "UTC" });
  }
}

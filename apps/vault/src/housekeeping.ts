import type { Job } from "@andon/contract";
import type { Andon, AppQueue } from "@andon/engine";
import { cleanCache } from "./cache/clean-cache.ts";
import { DROP_CACHED_JOB, type DroppedBytes, dropCached } from "./cache/drop-cached.ts";
import { SETTLE_JOB, type Settlement } from "./folders/asking-the-nas.ts";
import { forgetOperations } from "./folders/forget-operations.ts";
import { settleFolder } from "./folders/settle-folder.ts";
import type { Pace } from "./pace.ts";
import { VAULT_QUEUE, type VaultParts } from "./parts.ts";
import { sayingFaults } from "./said-faults.ts";
import { expireSetAside } from "./trash/expire-set-aside.ts";
import { expireTrash } from "./trash/expire-trash.ts";

type Work = (parts: VaultParts, payload: unknown, pace: Pace) => Promise<void>;

const EMPTY_TRASH = "empty-trash";
const CLEAN_CACHE = "clean-cache";
const FORGET_OPERATIONS = "forget-operations";

/** What the jobs of the vault's own queue do, by their names. */
const WORK: Readonly<Record<string, Work>> = {
  [EMPTY_TRASH]: async (parts, _payload, pace) => {
    await expireTrash(parts, pace);
    await expireSetAside(parts, pace);
  },
  [CLEAN_CACHE]: (parts, _payload, pace) => cleanCache(parts, pace),
  [FORGET_OPERATIONS]: (parts, _payload, pace) => forgetOperations(parts, pace),
  [DROP_CACHED_JOB]: (parts, payload, pace) => dropCached(parts, payload as DroppedBytes, pace),
  [SETTLE_JOB]: (parts, payload) => settleFolder(parts, payload as Settlement),
};

/** The vault's own work in the background. A failure concerns one folder, or one hour: the line never stops for it. */
export function housekeepingQueue(parts: VaultParts): AppQueue {
  return {
    rules: {
      attempts: 10,
      backoff: { delay: "30s", max: "15m" },
      timeout: "2m",
      timeoutFrom: "progress",
      onFinalFailure: "hold-lane",
      probe: false,
    },
    handler: sayingFaults(parts, async (job: Job, { signal, progress }) => {
      const work = WORK[job.name];
      if (!work) throw new Error(`the queue ${VAULT_QUEUE} has no work called ${job.name}`);
      const goOn = () => {
        signal.throwIfAborted();
        progress();
      };
      await work(parts, job.payload, Object.assign(goOn, { signal }));
    }),
  };
}

/** A job for each, so that a NAS that is away does not keep the cache from being cleaned, nor the other way round. */
const SCHEDULES = [
  { name: "vault-empty-trash", cron: "7 * * * *", job: { name: EMPTY_TRASH } },
  { name: "vault-clean-cache", cron: "37 * * * *", job: { name: CLEAN_CACHE } },
  { name: "vault-forget-operations", cron: "52 * * * *", job: { name: FORGET_OPERATIONS } },
];

/** Once an hour over the whole fleet. */
export async function scheduleHousekeeping(andon: Andon): Promise<void> {
  for (const schedule of SCHEDULES) {
    await andon.schedules.put({ ...schedule, queue: VAULT_QUEUE, timeZone: "UTC" });
  }
}

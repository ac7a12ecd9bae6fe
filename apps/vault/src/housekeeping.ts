import type { Job } from "@andon/contract";
import type { Andon, AppQueue, HandlerContext } from "@andon/engine";
import { cleanCache } from "./cache/clean-cache.ts";
import { SETTLE_JOB, type Settlement } from "./folders/asking-the-nas.ts";
import { settleFolder } from "./folders/settle-folder.ts";
import type { Pace } from "./pace.ts";
import { VAULT_QUEUE, type VaultParts } from "./parts.ts";
import { expireTrash } from "./trash/expire-trash.ts";

type Work = (parts: VaultParts, payload: unknown, pace: Pace) => Promise<void>;

export const HOUSEKEEPING_JOB = "housekeeping";

/** What the jobs of the vault's own queue do, by their names. */
const WORK: Readonly<Record<string, Work>> = {
  [HOUSEKEEPING_JOB]: async (parts, _payload, pace) => {
    await expireTrash(parts, pace);
    await cleanCache(parts, pace);
  },
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
    handler: async (job: Job, { signal, progress }: HandlerContext) => {
      const work = WORK[job.name];
      if (!work) throw new Error(`the queue ${VAULT_QUEUE} has no work called ${job.name}`);
      await work(parts, job.payload, () => {
        signal.throwIfAborted();
        progress();
      });
    },
  };
}

/** Emptying the trash and cleaning the cache, once an hour over the whole fleet. */
export async function scheduleHousekeeping(andon: Andon): Promise<void> {
  await andon.schedules.put({
    name: "vault-housekeeping",
    queue: VAULT_QUEUE,
    cron: "7 * * * *",
    timeZone: "UTC",
    job: { name: HOUSEKEEPING_JOB },
  });
}

import type { AppQueue } from "@andon/app";
import type { Job, Localized } from "@andon/contract";
import type { HandlerContext, Tx } from "@andon/engine";
import { DRIFT_QUEUE, type VaultContext } from "../vault-context.ts";
import { type FetchPayload, fetchToCache } from "./fetch-to-cache.ts";
import { endRun } from "./runs.ts";
import { type VerifyPayload, verify } from "./verify.ts";

export const VERIFY_JOB = "verify";

const CANCELLED: Localized = { en: "it was cancelled", ko: "취소되었습니다" };

type Work = (vault: VaultContext, job: Job<never>, context: HandlerContext) => Promise<unknown>;

const WORK: Readonly<Record<string, Work>> = {
  [VERIFY_JOB]: (vault, job, context) => verify(vault, job as Job<VerifyPayload>, context),
  "fetch-to-cache": (vault, job, context) => fetchToCache(vault, job as Job<FetchPayload>, context),
};

/** The queue of comparisons and repairs. A failed comparison is shown as failed, and no other job waits for it. */
export function driftQueue(vault: VaultContext): AppQueue {
  const { clock } = vault.andon.store;
  const giveUp = async (job: Job, tx: Tx) => {
    if (job.name !== VERIFY_JOB) return;
    const { runId } = job.payload as VerifyPayload;
    const texts = job.error?.texts ?? (job.error || job.resolution?.reason ? undefined : CANCELLED);
    const error = texts ? JSON.stringify(texts) : (job.error?.message ?? job.resolution?.reason ?? "");
    await endRun(tx, runId, { state: "FAILED", error, now: clock.now() });
  };
  return {
    isSystem: true,
    rules: {
      concurrency: 2,
      attempts: 4,
      backoff: { delay: "5s", max: "1m" },
      timeout: "1m",
      timeoutFrom: "progress",
      onFinalFailure: "skip",
      probe: false,
    },
    handler: async (job: Job<never>, context) => {
      const work = WORK[job.name];
      if (!work) throw new Error(`the queue ${DRIFT_QUEUE} has no work called ${job.name}`);
      return work(vault, job, context);
    },
    hooks: { failed: giveUp, skipped: giveUp, cancelled: giveUp },
  };
}

import type { Job } from "@andon/contract";
import type { AppQueue, HandlerContext, Tx } from "@andon/engine";
import { DRIFT_QUEUE, type VaultParts } from "../parts.ts";
import { sayingFaults } from "../said-faults.ts";
import { type FetchPayload, fetchToCache } from "./fetch-to-cache.ts";
import { endRun } from "./runs.ts";
import { type VerifyPayload, verify } from "./verify.ts";

export const VERIFY_JOB = "verify";

type Work = (parts: VaultParts, job: Job<never>, context: HandlerContext) => Promise<unknown>;

const WORK: Readonly<Record<string, Work>> = {
  [VERIFY_JOB]: (parts, job, context) => verify(parts, job as Job<VerifyPayload>, context),
  "fetch-to-cache": (parts, job, context) => fetchToCache(parts, job as Job<FetchPayload>, context),
};

/** Comparisons and their repairs in the background. One that fails is shown as failed, and nothing waits for it. */
export function driftQueue(parts: VaultParts): AppQueue {
  const { clock } = parts.andon.store;
  const giveUp = async (job: Job, tx: Tx) => {
    if (job.name !== VERIFY_JOB) return;
    const { runId } = job.payload as VerifyPayload;
    const error = job.error?.message ?? job.resolution?.reason ?? "it was cancelled";
    await endRun(tx, runId, { state: "FAILED", error, now: clock.now() });
  };
  return {
    rules: {
      concurrency: 2,
      attempts: 4,
      backoff: { delay: "5s", max: "1m" },
      timeout: "1m",
      timeoutFrom: "progress",
      onFinalFailure: "skip",
      probe: false,
    },
    handler: sayingFaults(parts, async (job: Job<never>, context) => {
      const work = WORK[job.name];
      if (!work) throw new Error(`the queue ${DRIFT_QUEUE} has no work called ${job.name}`);
      return work(parts, job, context);
    }),
    hooks: { failed: giveUp, skipped: giveUp, cancelled: giveUp },
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { sharedNow } from "../clock.ts";
import type { Contender } from "../contender.ts";

export interface TrialOrder {
  queue: string;
  /** The job whose every attempt fails. */
  failing: number;
  maxAttempts: number;
  concurrency: number;
}

/** What one worker saw, on the clock that all processes share. */
export interface TrialLog {
  starts: { n: number; at: number }[];
  failures: number[];
  /** When this worker's queue reported that the final failure is recorded. */
  recordedAt?: number;
}

export interface Trial {
  stop(): Promise<TrialLog>;
}

/** One worker of a trial: works the queue and records when each handler starts. */
export async function startTrial(
  contender: Contender,
  order: TrialOrder,
  onRecorded: () => void,
): Promise<Trial> {
  const log: TrialLog = { starts: [], failures: [] };
  const options = {
    concurrency: order.concurrency,
    onFinalFailure() {
      log.recordedAt ??= sharedNow();
      onRecorded();
    },
  };
  const working = await contender.work(options, async (job) => {
    log.starts.push({ n: job.n, at: sharedNow() });
    // Each job takes a moment; otherwise all jobs would run before the queue can stop.
    await sleep(1);
    if (job.n !== order.failing) return;
    log.failures.push(sharedNow());
    throw new Error("fails always");
  });
  return {
    async stop() {
      await working.stop();
      return log;
    },
  };
}

export interface Verdict {
  /** Starts after the final failure was recorded. */
  leaks: number;
  /** Whether a later job started between the first failure and the last. */
  overtaken: boolean;
}

export function judgeTrial(logs: TrialLog[], failing: number): Verdict {
  const starts = logs.flatMap((log) => log.starts);
  const failures = logs.flatMap((log) => log.failures).sort((a, b) => a - b);
  const recordedAt = Math.min(...logs.map((log) => log.recordedAt ?? Number.POSITIVE_INFINITY));
  const first = failures[0] ?? Number.POSITIVE_INFINITY;
  const last = failures.at(-1) ?? 0;
  return {
    leaks: starts.filter((start) => start.at > recordedAt).length,
    overtaken: starts.some((start) => start.n > failing && start.at > first && start.at < last),
  };
}

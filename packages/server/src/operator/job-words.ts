import type { Job, JobState } from "@andon/contract";
import type { JobWords } from "@andon/engine";

/** What a job is about where its app does not say. */
export function plainWords(job: Job): JobWords {
  return {
    aggregateType: "JOB",
    aggregateId: job.keys[0] ?? job.id,
    eventType: job.name,
    data: job.payload,
  };
}

/** What an app says of a job; plain words where it has none, or throws: neither a stop nor an operator's look may fail by it. */
export function wordsOf(words: ((job: Job) => JobWords | undefined) | undefined, job: Job): JobWords {
  try {
    return words?.(job) ?? plainWords(job);
  } catch {
    return plainWords(job);
  }
}

/** The state of a job in the words of a sync event. */
export const SYNC_STATUS: Record<
  JobState,
  "PENDING" | "PROCESSING" | "DONE" | "FAILED" | "MANUALLY_RESOLVED"
> = {
  scheduled: "PENDING",
  blocked: "PENDING",
  ready: "PENDING",
  parked: "PENDING",
  running: "PROCESSING",
  done: "DONE",
  failed: "FAILED",
  aborted: "FAILED",
  resolved: "MANUALLY_RESOLVED",
  skipped: "MANUALLY_RESOLVED",
  cancelled: "MANUALLY_RESOLVED",
};

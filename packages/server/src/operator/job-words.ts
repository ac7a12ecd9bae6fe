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

import type { JobDescription } from "@andon/app";
import type { Job, JobState } from "@andon/contract";

/** What a job is about where its app does not say. */
export function plainDescription(job: Job): JobDescription {
  return {
    aggregateType: "JOB",
    aggregateId: job.keys[0] ?? job.id,
    eventType: job.name,
    data: job.payload,
  };
}

/** What an app says of a job; a plain description where it gives none, or throws: neither a stop nor an operator's look may fail by it. */
export function describeJob(
  describe: ((job: Job) => JobDescription | undefined) | undefined,
  job: Job,
): JobDescription {
  try {
    return describe?.(job) ?? plainDescription(job);
  } catch {
    return plainDescription(job);
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

import type { JobDescription } from "@andon/app";
import type { Job, JobState } from "@andon/contract";

/** The description of a job without one from its app. */
export function plainDescription(job: Job): JobDescription {
  return {
    aggregateType: "JOB",
    aggregateId: job.keys[0] ?? job.id,
    eventType: job.name,
    data: job.payload,
  };
}

/** The app's description of a job; a plain one if the app gives none or throws, so that neither a stop nor a page fails. */
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

/** The sync-event status of each job state. */
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

/** What a bulk job's state is called. */
export const BULK_STATES = [
  "SCHEDULED",
  "WAITING",
  "RUNNING",
  "ABORTING",
  "ABORTED",
  "COMPLETED",
  "FAILED",
] as const;
export type BulkJobState = (typeof BULK_STATES)[number];

/** `BROKEN`: it broke off, and what was stored before stays. */
export const IMPORT_STATES = ["RUNNING", "DONE", "BROKEN"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const PUSH_STATES = ["PENDING", "SENT", "FAILED"] as const;
export type PushState = (typeof PUSH_STATES)[number];

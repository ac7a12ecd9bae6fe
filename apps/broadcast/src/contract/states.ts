/** The states of a bulk job in the API. */
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

/** `BROKEN`: the import failed; what it stored before stays. */
export const IMPORT_STATES = ["RUNNING", "DONE", "BROKEN"] as const;
export type ImportState = (typeof IMPORT_STATES)[number];

export const PUSH_STATES = ["PENDING", "SENT", "FAILED"] as const;
export type PushState = (typeof PUSH_STATES)[number];

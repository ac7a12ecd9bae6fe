/** The permissions of a key for pipelines, their executions and dead letters. */
export const FILEFLOW_PERMISSIONS = [
  "pipeline.read",
  "pipeline.cancel",
  "pipeline.retry",
  "pipeline.ingest",
  "pipeline.schedule",
  "dlq.read",
  "dlq.operate",
] as const;

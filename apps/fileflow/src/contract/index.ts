export { FILEFLOW_ERRORS, FileflowError } from "./errors.ts";
export { FILEFLOW_PERMISSIONS } from "./permissions.ts";
export { FILEFLOW_ROUTES } from "./routes.ts";
export {
  DLQ_SOURCES,
  DLQ_STATES,
  type DlqSource,
  type DlqState,
  EXECUTION_STATUSES,
  type ExecutionStatus,
  OVERLAP_POLICIES,
  type OverlapPolicy,
  REDRIVE_STATES,
  type RedriveState,
  STAGE_STATUSES,
  type StageStatus,
  TRIGGER_TYPES,
  type TriggerType,
} from "./states.ts";

export { BROADCAST_ERRORS, BroadcastError } from "./errors.ts";
export { BROADCAST_PERMISSIONS } from "./permissions.ts";
export { BROADCAST_ROUTES } from "./routes.ts";
export { BULK_STATES, type BulkJobState, PUSH_STATES, type PushState } from "./states.ts";

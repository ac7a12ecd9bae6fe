export { VAULT_ERRORS, VaultError } from "./errors.ts";
export { VAULT_PERMISSIONS } from "./permissions.ts";
export { AVAILABILITY, SYNC_OPERATIONS, type SyncOperation, VAULT_ROUTES } from "./routes.ts";

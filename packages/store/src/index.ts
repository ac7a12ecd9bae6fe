export { ENGINE_MIGRATIONS, type MigrationSet } from "./migrate.ts";
export { openStore, type StoreOptions, storeOptions } from "./open-store.ts";
export type { SqlStore } from "./sql-store.ts";

export { glanceAtStore } from "./glance.ts";
export { lookAtStore, type StoreLook } from "./look-at-store.ts";
export { ENGINE_MIGRATIONS } from "./migrate.ts";
export { openStore, type StoreOptions, storeOptions } from "./open-store.ts";
export type { SqlStore } from "./sql-store.ts";

export { inspectStore, type StoreInspection } from "./inspect-store.ts";
export { ENGINE_MIGRATIONS } from "./migrate.ts";
export { openStore, type StoreOptions, storeOptions } from "./open-store.ts";
export { PLANNER_SETTINGS } from "./postgres/planner.ts";
export { MOST_COUNTED, totalOf } from "./readers/bounds.ts";
export { countUnlessReached } from "./readers/reached-bounds.ts";
export { readSnapshot, type StoreSnapshot } from "./snapshot.ts";
export type { SqlStore } from "./sql-store.ts";
export { alongIndex } from "./statements/along-index.ts";

export { asNobody } from "./as-nobody.ts";
export { ensureBrowser } from "./browser.ts";
export { type ChildExit, type NodeChild, spawnNode } from "./child.ts";
export { createDatabase, type TestDatabase } from "./databases.ts";
export type { IsolatedErrand } from "./isolated-tasks.ts";
export { type PostgresOptions, type PostgresServer, startPostgres } from "./postgres.ts";
export { createDatabaseWith } from "./templates.ts";
export { until } from "./until.ts";
export { statementsOf, wholeReads } from "./whole-reads.ts";

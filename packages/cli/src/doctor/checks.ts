import type { Check } from "./check.ts";
import { adminKey, dataFolder, diskSpace, nodeVersion, settings } from "./machine-checks.ts";
import { cache, nas } from "./place-checks.ts";
import { access, deliveries, heldLanes, stoppedQueues, workers } from "./queue-checks.ts";
import { clocks, parts, schema, server, store } from "./server-checks.ts";

/** Everything that the doctor looks at, in this order. */
export const CHECKS: readonly Check[] = [
  nodeVersion,
  settings,
  dataFolder,
  adminKey,
  diskSpace,
  server,
  store,
  schema,
  parts,
  cache,
  nas,
  clocks,
  access,
  workers,
  stoppedQueues,
  heldLanes,
  deliveries,
];

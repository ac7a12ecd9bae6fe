import type { Check } from "./check.ts";
import { adminKey, dataFolder, diskSpace, nodeVersion, settings } from "./machine-checks.ts";
import { access, deliveries, heldLanes, stoppedQueues, workers } from "./queue-checks.ts";
import { clocks, parts, schema, server, store } from "./server-checks.ts";

/** The checks of the core, in this order; the checks of the apps follow. */
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
  clocks,
  access,
  workers,
  stoppedQueues,
  heldLanes,
  deliveries,
];

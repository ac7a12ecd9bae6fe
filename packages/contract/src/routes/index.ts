import { keyRoutes, loginRoutes, sessionRoutes } from "./access.ts";
import { alertRoutes } from "./alerts.ts";
import { auditRoutes } from "./audit.ts";
import { decisionRoutes } from "./decisions.ts";
import { demoRoutes } from "./demo.ts";
import { jobRoutes } from "./jobs.ts";
import { laneRoutes, stopRoutes } from "./lanes.ts";
import { operationRoutes } from "./operations.ts";
import { planRoutes } from "./plans.ts";
import { queueRoutes } from "./queues.ts";
import type { RouteTable } from "./route.ts";
import { scheduleRoutes, workerRoutes } from "./schedules.ts";
import { pluginRoutes, systemRoutes } from "./system.ts";

/** Every route of the host itself. Apps bring tables of their own. */
export const ROUTES = {
  queues: queueRoutes,
  jobs: jobRoutes,
  lanes: laneRoutes,
  stops: stopRoutes,
  plans: planRoutes,
  operations: operationRoutes,
  decisions: decisionRoutes,
  schedules: scheduleRoutes,
  workers: workerRoutes,
  alerts: alertRoutes,
  audit: auditRoutes,
  keys: keyRoutes,
  demo: demoRoutes,
  sessions: loginRoutes,
  session: sessionRoutes,
  system: systemRoutes,
} as const satisfies RouteTable;

export const PLUGIN_ROUTES: RouteTable = pluginRoutes;

export type { JobAction } from "./jobs.ts";
export { OPERATION_ACTIONS } from "./operations.ts";
export { MOST_NAMED, MOST_PLANNED, PLAN_ACTIONS } from "./plans.ts";
export { type Access, queueRoute, type Route, type RouteTable, route } from "./route.ts";
export { isTime } from "./wire.ts";

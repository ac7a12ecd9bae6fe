import type { ROUTES } from "@andon/contract";
import { serveBullmqQueues } from "../bullmq/serve.ts";
import type { HttpServeAll } from "../http/mount.ts";
import type { Site } from "../site.ts";
import { serveAudit } from "./audit.ts";
import { serveDecisions } from "./decisions.ts";
import { serveJobs } from "./jobs.ts";
import { serveLanes, serveStops } from "./lanes.ts";
import { serveOperations } from "./operations.ts";
import { servePlans } from "./plans.ts";
import { withBullmqQueues } from "./queue-surface.ts";
import { serveQueues } from "./queues.ts";
import { serveSchedules, serveWorkers } from "./schedules.ts";

type Groups =
  | "queues"
  | "jobs"
  | "lanes"
  | "stops"
  | "plans"
  | "operations"
  | "decisions"
  | "schedules"
  | "workers"
  | "audit";

/** The routes with which operators read and decide, for any queue. */
export function serveOperators(site: Site): Pick<HttpServeAll<typeof ROUTES>, Groups> {
  const groups = {
    queues: serveQueues(site),
    jobs: serveJobs(site),
    lanes: serveLanes(site),
    stops: serveStops(site),
    plans: servePlans(site),
    operations: serveOperations(site),
    decisions: serveDecisions(site),
    schedules: serveSchedules(site),
    workers: serveWorkers(site),
    audit: serveAudit(site),
  };
  return withBullmqQueues(site, groups, serveBullmqQueues(site));
}

import type { Job } from "@andon/contract";
import type { Andon, App, AppQueue, JobWords, Queue } from "@andon/engine";
import type { Logger } from "pino";
import type { Access } from "./access/access.ts";
import type { Alerts } from "./alerts/alerts.ts";
import type { Settings } from "./config/settings.ts";
import type { Traces } from "./observe/traces.ts";

/** A queue that this process defines, and how the operator API speaks of its jobs. */
export interface SiteQueue {
  readonly queue: Queue<unknown>;
  readonly mode: "lanes" | "serial";
  words(job: Job): JobWords;
  /** Whether callers may add jobs. Those of a queue that the host or an app brings are made there, from things it has checked. */
  readonly takesJobs: boolean;
  /** Looks at the outside world before a failed job is settled by hand; absent where its app does not. */
  readonly beforeSkip?: AppQueue["beforeSkip"];
}

/** Everything of one running process: what the routes are served from. */
export interface Site {
  readonly settings: Settings;
  readonly log: Logger;
  readonly andon: Andon;
  readonly queues: ReadonlyMap<string, SiteQueue>;
  readonly apps: readonly App[];
  readonly access: Access;
  readonly alerts: Alerts;
  readonly traces: Traces;
  /** A decision over many jobs that takes longer is answered with 202, and goes on. */
  readonly answerWithinMs: number;
}

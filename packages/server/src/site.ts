import type { App, AppQueue, JobDescription } from "@andon/app";
import type { ErrorCatalogue, Job } from "@andon/contract";
import type { Andon, Queue } from "@andon/engine";
import type { Logger } from "pino";
import type { Access } from "./access/access.ts";
import type { Alerts } from "./alerts/alerts.ts";
import type { BullmqQueues } from "./bullmq/bullmq-queues.ts";
import type { Settings } from "./config/settings.ts";
import type { Demo } from "./demo/demo.ts";
import type { Traces } from "./observe/traces.ts";

/** A queue that this process defines, and how the operator API presents its jobs. */
export interface SiteQueue {
  readonly queue: Queue<unknown>;
  readonly mode: "lanes" | "serial";
  /** Whether the queue does work of Andon itself. */
  readonly isSystem: boolean;
  describe(job: Job): JobDescription;
  /** Whether callers may add jobs. The host or an app adds the jobs of its own queues, after its own checks. */
  readonly takesJobs: boolean;
  /** The app's check of the outside world before a failed job is skipped. */
  readonly beforeSkip?: AppQueue["beforeSkip"];
  /** Throws if the app forbids a decision about a job. Absent: the app allows all decisions. */
  readonly mayDecide?: AppQueue["mayDecide"];
  /** The audit log's word for its jobs. Absent: `job`. */
  readonly noun?: string;
  /** Pages of the runbooks by the code of an error. */
  readonly runbooks?: AppQueue["runbooks"];
  /** Decisions that the app applies itself. */
  readonly decide?: AppQueue["decide"];
}

/** Everything of one running process, for its routes. */
export interface Site {
  readonly settings: Settings;
  readonly log: Logger;
  readonly andon: Andon;
  readonly queues: ReadonlyMap<string, SiteQueue>;
  /** Queues that BullMQ runs elsewhere. */
  readonly bullmq: BullmqQueues;
  readonly apps: readonly App[];
  readonly access: Access;
  readonly alerts: Alerts;
  readonly demo: Demo;
  readonly traces: Traces;
  /** A decision over many jobs that takes longer is answered with 202 and continues. */
  readonly answerWithinMs: number;
  /** Every error that a caller can receive: the core's and the apps'. */
  readonly errors: ErrorCatalogue;
}

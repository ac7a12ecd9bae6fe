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

/** A queue that this process defines, and how the operator API speaks of its jobs. */
export interface SiteQueue {
  readonly queue: Queue<unknown>;
  readonly mode: "lanes" | "serial";
  /** It does work of the product itself. */
  readonly isSystem: boolean;
  describe(job: Job): JobDescription;
  /** Whether callers may add jobs. Those of a queue that the host or an app brings are made there, from things it has checked. */
  readonly takesJobs: boolean;
  /** Looks at the outside world before a failed job is skipped; absent where its app does not. */
  readonly beforeSkip?: AppQueue["beforeSkip"];
  /** Throws where its app forbids a decision about a job; absent where its app allows them all. */
  readonly mayDecide?: AppQueue["mayDecide"];
  /** How the audit log calls its jobs; absent: `job`. */
  readonly noun?: string;
  /** Pages of the runbooks by the code of an error. */
  readonly runbooks?: AppQueue["runbooks"];
  /** Decisions that its app carries out itself. */
  readonly decide?: AppQueue["decide"];
}

/** Everything of one running process: what the routes are served from. */
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
  /** A decision over many jobs that takes longer is answered with 202, and goes on. */
  readonly answerWithinMs: number;
  /** Every error that a caller of this process can get: the core's and the apps'. */
  readonly errors: ErrorCatalogue;
}

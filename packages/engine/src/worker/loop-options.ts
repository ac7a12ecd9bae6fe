import type { MeasuredTimes } from "../history/measured-times.ts";
import type { Random } from "../ports/random.ts";
import type { Store } from "../ports/store.ts";
import type { QueueDefinition } from "../queue-definition.ts";
import type { ExecutionPorts } from "./execution.ts";
import type { Handler } from "./handler.ts";
import type { Loop } from "./loop.ts";
import type { ProcessWork } from "./process-work.ts";
import type { ProgressReports } from "./progress-reports.ts";

export interface LoopOptions {
  readonly store: Store;
  readonly queue: QueueDefinition;
  readonly handler: Handler<never>;
  /** How many jobs of this queue run at once in this process. */
  readonly places: number;
  /** How long running jobs may take to finish on `drain`, in milliseconds. */
  readonly grace: number;
  /** Ends the handler's threads or processes, once they have no job. */
  readonly onDrained?: (() => Promise<void>) | undefined;
  /** Undefined while the process has no valid id: its claims would belong to no worker. */
  readonly workerId: () => string | undefined;
  /** Called before a claim is sent: from then on the worker must beat. */
  readonly onClaim: () => void;
  /** Whether this queue may be claimed from: no other worker runs it in another mode. */
  readonly mayClaim: () => boolean;
  /** All loops of this process; several may work the same queue. */
  readonly others: Iterable<Loop>;
  /** The work of all of them. */
  readonly work: ProcessWork;
  readonly random: Random;
  readonly progress: ProgressReports;
  readonly times: MeasuredTimes;
  readonly checkpoint: ExecutionPorts["checkpoint"];
  readonly onError: (error: unknown) => void;
}

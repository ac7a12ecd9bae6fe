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
  /** Ends what the handler runs in, once no job is left there. */
  readonly onDrained?: (() => Promise<void>) | undefined;
  /** Undefined while the process has none: what it claimed then would be nobody's. */
  readonly workerId: () => string | undefined;
  /** A claim is about to be sent: from here on the others must hear of this worker. */
  readonly onClaim: () => void;
  /** Whether this queue may be claimed from beside those who work it now. */
  readonly mayClaim: () => boolean;
  /** All loops of this process; several may work the same queue. */
  readonly others: Iterable<Loop>;
  /** What all of them are at. */
  readonly work: ProcessWork;
  readonly random: Random;
  readonly progress: ProgressReports;
  readonly times: MeasuredTimes;
  readonly checkpoint: ExecutionPorts["checkpoint"];
  readonly onError: (error: unknown) => void;
}

/**
 * The interface of a measured queue: ours, the peers, and the limit (plain SQL on the same database).
 *
 * A kind is one file in `contenders/`. It opens the queue in a *mode*, because several peers must choose their rules when the
 * queue is created. It offers *variants*, because a peer is measured with each of its promising settings and the best one
 * counts. A mode without variants means that the queue cannot do this; the table shows a dash.
 */

export type Store = "postgres" | "sqlite" | "redis";

/**
 * - `drain`   no order between jobs, as fast as possible
 * - `keyed`   jobs of one key run one after another in the order they were added; keys run in parallel
 * - `serial`  one job at a time in order, each recorded as finished before the next starts
 * - `add`     only adding is measured
 * - `latency` an idle worker waits for single jobs
 * - `stop`    the queue stops at the first final failure, by the best means it has
 * - `hold`    as `keyed`, and single keys can be held
 * - `recover` as `drain`, with the settings that make the queue take back the jobs of a dead worker
 * - `staged`  each job goes through five stages, and as many plain jobs run for comparison
 * - `counted` as `drain`, with the history by the minute and without it
 * - `server`  the whole system: our server in its own process, over HTTP; no peer has this mode
 */
export type Mode =
  | "drain"
  | "keyed"
  | "serial"
  | "add"
  | "latency"
  | "stop"
  | "hold"
  | "recover"
  | "staged"
  | "counted"
  | "server";

export interface BenchJob {
  n: number;
  key?: string;
}

/** A thrown error is a failed attempt. Handlers of the speed scenarios return nothing, so that no promise is timed. */
export type Handler = (job: BenchJob) => void | Promise<void>;

/** Where a contender may keep its data. Fresh for each round. */
export interface Place {
  folder: string;
  queue: string;
  postgresUrl?: string;
  redisUrl?: string;
}

export interface WorkOptions {
  /** Jobs that this worker runs at the same time. Default: the variant's best value. */
  concurrency?: number;
  /** Called when the queue has recorded the final failure, after all it can do to stop the queue. */
  onFinalFailure?: () => void;
  /** Called after each claim with its duration, if the queue can measure it. */
  onClaim?: (milliseconds: number) => void;
}

export interface Working {
  /** Resolves when no handler runs and everything that finished is recorded. */
  stop(): Promise<void>;
}

export interface Contender {
  /** Every setting that differs from the default, for the report. */
  readonly settings: Record<string, string | number | boolean>;
  /** Adds in chunks of the best size for this queue. Resolves when all jobs are stored. */
  addBulk(jobs: BenchJob[]): Promise<void>;
  addOne(job: BenchJob): Promise<void>;
  work(options: WorkOptions, handler: Handler): Promise<Working>;
  /** Jobs that are not recorded as finished, including running ones, as another connection sees them. */
  unfinished(): Promise<number>;
  close(): Promise<void>;

  /** `counted` only: jobs that the history by the minute counts as done. */
  countedByHistory?(): Promise<number>;
  /** `staged` only: a queue without stages on the same store. */
  plain?(): Contender;
  /** `hold` only: from now on no job of these keys may start. */
  holdKeys?(keys: string[]): Promise<void>;
  /**
   * `stop` only: claims of this queue committed after the commit of its final failure, read from the store. A queue that
   * cannot tell is judged by handlers that started after it reported the failure.
   */
  claimsAfterStop?(): Promise<number>;
}

export interface OpenOptions {
  mode: Mode;
  variant: string;
  /** `stop` only: attempts of a job before its failure is final. */
  maxAttempts?: number;
}

export interface ContenderKind {
  name: string;
  role: "ours" | "limit" | "peer";
  store: Store;
  /** npm package whose version is reported. */
  package?: string;
  /** Names of the settings to measure in this mode. Empty: the queue cannot do this. */
  variants(mode: Mode): string[];
  /** Its jobs are visible to no other process, so scenarios with two processes make do with one. */
  oneProcess?: true;
  /** Extra arguments for the Redis server of a variant. */
  redisArguments?(variant: string): string[];
  /** Time until the jobs of a killed worker run again with the default settings, as the project documents it. */
  recovery?: { seconds: number; because: string };
  open(place: Place, options: OpenOptions): Promise<Contender>;
}

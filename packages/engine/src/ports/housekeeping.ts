/** The request that a process sends at every look. */
export interface FleetStateRequest {
  /** Its own worker id. */
  readonly worker: string;
  /** The role of the housekeeper whose post is read. */
  readonly role: string;
  /** The queues that it works: the answer names those that have jobs to claim. */
  readonly worked: readonly string[];
  /** The queues that it defines: the answer says whether any of their jobs run. */
  readonly defined: readonly string[];
}

/** The post of the one process that is the housekeeper of a fleet. */
export interface Post {
  readonly worker: string;
  /** Increases whenever the holder changes. */
  readonly term: number;
  /** Increases while its holder is active. */
  readonly beat: number;
}

/** The state of the whole store at one look. */
export interface FleetState {
  /** Whether the store still has this worker's row. */
  readonly isKnown: boolean;
  /** Of the queues that it works, those that are not stopped and have a ready job. */
  readonly ready: readonly string[];
  readonly isRunning: boolean;
  /** There are counts that are not merged yet. */
  readonly hasTallies: boolean;
  /** There are decisions over many jobs that are not carried out yet. */
  readonly hasOperations: boolean;
  /** Some queue is resumed in waves. */
  readonly isRamping: boolean;
  /** When the next timer and the next schedule are due. */
  readonly nextTimer: number | null;
  readonly nextSchedule: number | null;
  /** When the next decision that is held back is due. */
  readonly nextDecision: number | null;
  readonly post: Post | null;
}

/** A worker that has claims, and how many in one queue. */
export interface Holder {
  readonly queue: string;
  readonly worker: string;
  readonly jobs: number;
}

/** The kinds of rows that are deleted when their retention ends. */
export type HistoryKind = "events" | "attempts" | "stops" | "arrivals" | "minutes" | "hours";

/** When the oldest deletable row of each kind was written; null if there is none. */
export type OldestHistory = Readonly<Record<HistoryKind, number | null>>;

/** The times of the oldest rows of one queue that a purge could delete; null if there are none. */
export interface OldestOfQueue {
  readonly queue: string;
  readonly done: number | null;
  readonly ended: number | null;
  readonly plan: number | null;
}

/** What a process asks at every look. */
export interface FleetStateRequest {
  /** Its own worker id. */
  readonly worker: string;
  /** Whose housekeeper is meant. */
  readonly role: string;
  /** The queues that it works: which of them have jobs to claim. */
  readonly worked: readonly string[];
  /** The queues that it defines: whether jobs of theirs run. */
  readonly defined: readonly string[];
}

/** The post of the one process that is the housekeeper of a fleet. */
export interface Post {
  readonly worker: string;
  /** Rises whenever the post changes hands. */
  readonly term: number;
  /** Rises while its holder is active. */
  readonly beat: number;
}

/** What a process sees of the whole store at one look. */
export interface FleetState {
  /** Whether the store still has this worker's row. */
  readonly isKnown: boolean;
  /** Of the queues that it works, those that are not stopped and have a ready job. */
  readonly ready: readonly string[];
  readonly isRunning: boolean;
  /** There are counts that were not merged yet. */
  readonly hasTallies: boolean;
  /** There are decisions over many jobs that are not carried out yet. */
  readonly hasOperations: boolean;
  /** Some queue is resumed in waves. */
  readonly isRamping: boolean;
  /** When the next timer and the next schedule are due. */
  readonly nextTimer: number | null;
  readonly nextSchedule: number | null;
  /** When the next decision is due that was held back. */
  readonly nextDecision: number | null;
  readonly post: Post | null;
}

/** A worker that has claims, and how many of one queue. */
export interface Holder {
  readonly queue: string;
  readonly worker: string;
  readonly jobs: number;
}

/** Rows that are kept for a time, whatever they tell of. */
export type HistoryKind = "events" | "attempts" | "stops" | "arrivals" | "minutes" | "hours";

/** When the oldest row of each was written that may be deleted; null where there is none. */
export type OldestHistory = Readonly<Record<HistoryKind, number | null>>;

/** How old the oldest rows of one queue are that a purge could delete; null where there are none. */
export interface OldestOfQueue {
  readonly queue: string;
  readonly done: number | null;
  readonly ended: number | null;
  readonly plan: number | null;
}

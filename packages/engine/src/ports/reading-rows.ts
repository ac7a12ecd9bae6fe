import type { Lane, Page, Scope } from "@andon/contract";
import type { LaneId } from "../lanes/lane-id.ts";
import type { JobRow } from "./rows.ts";

/** A lane, and whether its head runs. */
export interface LaneState extends Lane {
  /** Whether the job at the head of the lane runs. */
  readonly isRunning: boolean;
}

/** Keys of lanes, compared by their bytes: from `from`, and before `to`. */
export interface KeyRange {
  readonly from: string;
  readonly to: string;
}

/** The lanes of one tenant from `from`, and before `to`. */
export interface LaneRange {
  readonly from: LaneId;
  readonly to: LaneId;
}

/** With a scope, only lanes that a job within the scope holds. Default: those of all tenants. */
export interface HeldLaneFilter extends Readonly<Scope> {
  readonly queue: string;
  /** Only lanes whose keys are in this range, of any tenant. Default: all. */
  readonly keys?: KeyRange | undefined;
}

/** A job, and the lanes that may have other jobs before it: some by name, and those of a range. */
export interface EarlierInLanes {
  readonly jobId: string;
  readonly lanes: readonly LaneId[];
  readonly range: LaneRange;
}

/** Which jobs of a lane are read. A lane can hold a million, so there is a limit. */
export interface LaneJobsOptions {
  /** From which end of the lane. Either way the answer is in the order of the lane. Default: `first`. */
  readonly end?: "first" | "last" | undefined;
  /** Leaves out a failed job that holds the lane. Default: false. */
  readonly onlyOpen?: boolean | undefined;
  /** Default: 10,000. */
  readonly limit?: number | undefined;
}

/**
 * The reads of lanes and jobs for apps, on a connection of its own or inside a transaction. None of them takes a lock.
 */
export interface ReadingRows {
  /** Lanes that do not exist are left out. */
  lanes(queue: string, lanes: readonly LaneId[]): Promise<LaneState[]>;
  /** Lanes that a failed job holds, longest held first. */
  heldLanes(
    filter: HeldLaneFilter,
    page: number,
    limit: number,
  ): Promise<Page<{ readonly lane: Lane; readonly job: JobRow }>>;
  jobsOfLane(queue: string, lane: LaneId, options: LaneJobsOptions): Promise<JobRow[]>;
  /** In the order in which they were added; unknown ids are left out. */
  jobs(ids: readonly string[]): Promise<JobRow[]>;
  /** How many jobs are in the lanes of a range; a job in several of them counts once. */
  countInLanes(queue: string, range: LaneRange): Promise<number>;
  /** The jobs that have an unfinished job before them in the lanes of their question. A job in a held lane does not count. */
  withEarlier(queue: string, questions: readonly EarlierInLanes[]): Promise<Set<string>>;
}

import type { Job, Lane, Page } from "@andon/contract";
import { DEFAULT_TENANT, type LaneId, laneId } from "../lanes/lane-id.ts";
import type {
  HeldLaneFilter,
  KeyRange,
  LaneJobsOptions,
  LaneRange,
  LaneState,
  ReadingRows,
  Store,
} from "../ports/store.ts";
import { checkedList, lookedUp, narrowedTo } from "./checked-argument.ts";
import { type PageOptions, pageOf } from "./paging.ts";
import { publicJob } from "./public-job.ts";

/** With `tx`, the statement runs inside that transaction and sees its writes. Default: it sees what is committed. */
export interface Within {
  readonly tx?: unknown;
}

/** The tenant of the lanes. Default: `default`. */
interface OfTenant {
  readonly tenant?: string | undefined;
}

/** A lane of a queue. */
export interface LaneName extends OfTenant {
  readonly key: string;
}

/** The lanes of one tenant whose keys are in a range. */
export interface LaneKeyRange extends KeyRange, OfTenant {}

/** A job, and the lanes of a tenant that may have other jobs before it: by their keys, and by a range of keys. */
export interface EarlierQuestion extends OfTenant {
  readonly jobId: string;
  readonly keys: readonly string[];
  readonly range: KeyRange;
}

/** A lane, and the failed job that holds it. */
export interface HeldLane extends Lane {
  readonly job: Job;
}

/**
 * Reads lanes and jobs, for programs that have their own tables in the same database. Each method is one statement, or
 * two with a count.
 */
export class Reading {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  /** The given lanes, of one or several tenants, in any order; unknown lanes are left out. */
  async lanes(queue: string, lanes: readonly LaneName[], within?: Within): Promise<LaneState[]> {
    lookedUp("queue", queue);
    const ids = checkedList("lanes", lanes).map(checkedLane);
    return ids.length === 0 ? [] : (await this.#rows(within)).lanes(queue, ids);
  }

  /** Lanes that a failed job holds, longest held first. `more` in the answer: counting stopped early. */
  async heldLanes(filter: HeldLaneFilter, page?: PageOptions, within?: Within): Promise<Page<HeldLane>> {
    lookedUp("queue", filter.queue);
    narrowedTo(filter);
    if (filter.keys) checkedRange(filter.keys);
    const { page: number, limit } = pageOf(page);
    const found = await (await this.#rows(within)).heldLanes(filter, number, limit);
    return { ...found, items: found.items.map(({ lane, job }) => ({ ...lane, job: publicJob(job) })) };
  }

  /** The jobs of a lane in its order: waiting and running ones, and a failed one that holds it. */
  async jobsOfLane(queue: string, lane: LaneName, options: LaneJobsOptions & Within = {}): Promise<Job[]> {
    const { tx, ...which } = options;
    const id = checkedLane(lane);
    const rows = await this.#rows({ tx });
    return (await rows.jobsOfLane(lookedUp("queue", queue), id, which)).map(publicJob);
  }

  /** Jobs by their ids, in the order in which they were added; unknown ids are left out. */
  async jobs(ids: readonly string[], within?: Within): Promise<Job[]> {
    for (const id of checkedList("ids", ids)) lookedUp("ids", id);
    return ids.length === 0 ? [] : (await (await this.#rows(within)).jobs(ids)).map(publicJob);
  }

  /** The number of jobs in the lanes of a tenant whose keys are in a range. A job in several of them counts once. */
  async countInLanes(queue: string, range: LaneKeyRange, within?: Within): Promise<number> {
    const lanes = laneRange(range.tenant, range);
    return (await this.#rows(within)).countInLanes(lookedUp("queue", queue), lanes);
  }

  /**
   * The ids of those given jobs that have an unfinished job before them in the lanes of their question. A job in a held
   * lane waits for a person and does not count.
   */
  async withEarlier(
    queue: string,
    questions: readonly EarlierQuestion[],
    within?: Within,
  ): Promise<ReadonlySet<string>> {
    lookedUp("queue", queue);
    const asked = checkedList("questions", questions).map(({ jobId, tenant, keys, range }) => ({
      jobId: lookedUp("jobId", jobId),
      lanes: checkedList("keys", keys).map((key) => checkedLane({ tenant, key })),
      range: laneRange(tenant, range),
    }));
    return asked.length === 0 ? new Set() : (await this.#rows(within)).withEarlier(queue, asked);
  }

  async #rows({ tx }: Within = {}): Promise<ReadingRows> {
    return tx === undefined ? this.#store.read.reading : (await this.#store.join(tx)).reading;
  }
}

function checkedLane({ tenant = DEFAULT_TENANT, key }: LaneName): LaneId {
  return laneId(lookedUp("tenant", tenant), lookedUp("key", key));
}

/** The lanes of a tenant sort like their keys. */
function laneRange(tenant: string | undefined, range: KeyRange): LaneRange {
  checkedRange(range);
  const bound = (key: string) => checkedLane({ tenant, key });
  return { from: bound(range.from), to: bound(range.to) };
}

function checkedRange({ from, to }: KeyRange): void {
  lookedUp("from", from);
  lookedUp("to", to);
}

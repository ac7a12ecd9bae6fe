import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import type { JobRow, PlannedJob, StoreReader } from "../ports/store.ts";

/** How many failed jobs a rehearsal puts back in line at the most. */
const MOST_FAILED = 1_000;

export interface LineQuestion {
  readonly queue: string;
  readonly isSerial: boolean;
  readonly limit: number;
  /** As if every failed job were retried first. */
  readonly retryFailed: boolean;
}

/**
 * The jobs that would start first if every job succeeded, one at a time, in the order of the line: each job that ends
 * admits the next one of its lanes. Jobs that run now count as ended. Fair shares and limits of stages may put other
 * jobs first, and with several requests at once an admitted job may start one claim later, but never before a job ahead
 * of it in its lane.
 */
export async function nextInLine(read: StoreReader, question: LineQuestion): Promise<JobRow[]> {
  const line = new ImaginedLine(read, question);
  for (const job of await front(read, question)) line.join(job);
  const next: JobRow[] = [];
  while (next.length < question.limit) {
    const job = line.take();
    if (!job) break;
    next.push(job);
    await line.letThrough(job);
  }
  return next;
}

async function front(read: StoreReader, { queue, isSerial, limit, retryFailed }: LineQuestion) {
  const { items: ready } = await read.jobs(queue, "ready", 1, limit);
  const failed = retryFailed ? await firstFailed(read, queue) : [];
  return [...(isSerial ? await backingOff(read, queue) : []), ...ready, ...failed];
}

/** A serial queue waits for a job that waits for its next attempt. */
async function backingOff(read: StoreReader, queue: string): Promise<JobRow[]> {
  const blocker = await read.lineBlocker(queue);
  const job = blocker?.kind === "backoff" ? await read.job({ id: blocker.jobId }) : undefined;
  return job ? [job] : [];
}

/** The jobs that failed first, which are on the last pages: the list begins with the newest. */
async function firstFailed(read: StoreReader, queue: string): Promise<JobRow[]> {
  const { failed } = await read.counts(queue);
  const limit = Math.min(MOST_FAILED, Math.max(1, failed));
  const pages = Math.ceil(failed / limit);
  const oldest = pages > 0 ? (await read.jobs(queue, "failed", pages, limit)).items : [];
  if (pages < 2) return oldest;
  return [...oldest, ...(await read.jobs(queue, "failed", pages - 1, limit)).items];
}

class ImaginedLine {
  readonly #read: StoreReader;
  readonly #question: LineQuestion;
  readonly #waiting = new Map<number, JobRow>();
  readonly #gone = new Set<number>();
  readonly #goneIds = new Set<string>();
  readonly #lanes = new Map<LaneId, { jobs: PlannedJob[]; isHeld: () => boolean }>();

  constructor(read: StoreReader, question: LineQuestion) {
    this.#read = read;
    this.#question = question;
  }

  join(job: JobRow): void {
    if (!this.#gone.has(job.pos)) this.#waiting.set(job.pos, job);
  }

  take(): JobRow | undefined {
    let first: JobRow | undefined;
    for (const job of this.#waiting.values()) if (!first || isBefore(job, first)) first = job;
    if (!first) return undefined;
    this.#waiting.delete(first.pos);
    this.#gone.add(first.pos);
    this.#goneIds.add(first.id);
    return first;
  }

  /** Admits the jobs behind a job that has left its lanes, if they wait for nothing else. */
  async letThrough(job: JobRow): Promise<void> {
    if (this.#question.isSerial) return;
    for (const lane of lanesOf(job)) {
      const behind = await this.#headOf(lane);
      if (behind?.state !== "blocked" || this.#waiting.has(behind.pos)) continue;
      if (!(await this.#isFree(behind))) continue;
      for (const row of await this.#read.readJobs([behind.pos])) this.join(row);
    }
  }

  async #isFree(job: PlannedJob): Promise<boolean> {
    for (const lane of job.lanes) if ((await this.#headOf(lane))?.pos !== job.pos) return false;
    return true;
  }

  /** The first job that is left in a lane; undefined if the lane is held, or empty. */
  async #headOf(lane: LaneId): Promise<PlannedJob | undefined> {
    const { jobs, isHeld } = this.#lanes.get(lane) ?? (await this.#look(lane));
    if (isHeld()) return undefined;
    return jobs.find(({ pos, state }) => state !== "running" && !this.#gone.has(pos));
  }

  async #look(lane: LaneId) {
    const { queue, limit } = this.#question;
    const [jobs, shown] = await Promise.all([
      this.#read.frontOfLane(queue, lane, 2 * limit),
      this.#read.lane(queue, lane),
    ]);
    const held = shown?.held;
    // The retry of the job that holds a lane releases it.
    const isHeld = () => !!held && (held.jobId === null || !this.#goneIds.has(held.jobId));
    const found = { jobs, isHeld };
    this.#lanes.set(lane, found);
    return found;
  }
}

function isBefore(a: JobRow, b: JobRow): boolean {
  return a.priority === b.priority ? a.pos < b.pos : a.priority > b.priority;
}

import { type LaneId, lanesOf } from "../lanes/lane-id.ts";
import type { JobRow, PlannedJob, StoreReader } from "../ports/store.ts";

/** How many failed jobs are put back in line to see which of them come first. */
const MOST_FAILED = 1_000;

export interface LineQuestion {
  readonly queue: string;
  readonly isSerial: boolean;
  readonly limit: number;
  /** As if every failed job were retried first. */
  readonly retryFailed: boolean;
}

/**
 * The jobs that would start first if all went well, one at a time, in the order of the line: each that ends lets the next one
 * of its lanes through. Jobs that run now are taken as ended. Fair shares and places of stages may put others before them, and
 * where several requests write at once, what is let through may start one claim later: never past its lane.
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

/** A serial line waits for the job that waits for its next attempt. */
async function backingOff(read: StoreReader, queue: string): Promise<JobRow[]> {
  const blocker = await read.lineBlocker(queue);
  const job = blocker?.kind === "backoff" ? await read.job({ id: blocker.jobId }) : undefined;
  return job ? [job] : [];
}

/** Those that failed first: the list begins with the newest. */
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

  /** Those behind a job that has left its lanes, where they wait for nothing else. */
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

  /** The first job of a lane that is still there; undefined where the lane is held, or empty. */
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

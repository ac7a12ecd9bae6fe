import type {
  Completion,
  FinishAndClaimRequest,
  FinishAndClaimResult,
  LaneId,
  LineJob,
  NewJob,
  Placed,
  ProgressRow,
} from "@andon/engine";
import type { Session } from "./dialect.ts";
import { type KnownJob, takeIdempotencyKeys } from "./steps/idempotency-steps.ts";
import type { StepContext } from "./steps/statement-registry.ts";

/** The verbs that have a text per database, as steps of an open transaction. */
export interface HotVerbs {
  enqueue(
    session: Session,
    queue: string,
    serial: boolean,
    jobs: readonly NewJob[],
    now: number,
  ): Promise<Placed[]>;
  /** The caller has locked the lanes of the jobs. False if a claim is no longer valid. */
  finish(
    session: Session,
    queue: string,
    worker: string,
    completions: readonly Completion[],
    now: number,
  ): Promise<boolean>;
  /** Claims by the request's rules; finishes nothing. The caller has locked the queue. */
  claim(session: Session, request: FinishAndClaimRequest, now: number): Promise<FinishAndClaimResult>;
  /** Creates and locks these lanes as far as that needs no waiting, and returns those it locked. */
  tryLanes(session: Session, queue: string, lanes: readonly LaneId[]): Promise<readonly LaneId[]>;
  /** Gives jobs their places at the end of their lanes; a place that a job left before counts as gone. */
  joinLanes(session: Session, queue: string, jobs: readonly LineJob[]): Promise<void>;
  /** Saves progress of jobs whose claims are valid, with a row of the feed for each; returns whether there was any. */
  saveProgress(session: Session, rows: readonly ProgressRow[], now: number): Promise<boolean>;
}

/** Enqueue inside a transaction: jobs whose idempotency key is known are left out and answered with the first one. */
export async function enqueueWith(
  at: StepContext,
  hot: HotVerbs,
  queue: string,
  serial: boolean,
  jobs: readonly NewJob[],
): Promise<Placed[]> {
  const known = await takeIdempotencyKeys(at, queue, jobs);
  const fresh = jobs.filter((job) => !known.has(job));
  const placed = fresh.length > 0 ? await hot.enqueue(at.session, queue, serial, fresh, at.now) : [];
  if (known.size === 0) return placed;
  const byJob = new Map(fresh.map((job, index) => [job, placed[index] as Placed]));
  return jobs.map((job) => answer(job, known, byJob));
}

function answer(
  job: NewJob,
  known: Map<NewJob, KnownJob | { sameBatch: NewJob }>,
  placed: Map<NewJob, Placed>,
): Placed {
  const existing = known.get(job);
  if (!existing) return placed.get(job) as Placed;
  if ("sameBatch" in existing) return { ...(placed.get(existing.sameBatch) as Placed), isNew: false };
  return {
    id: existing.id,
    ticket: String(existing.ticket ?? existing.pos),
    isNew: false,
    seq: existing.seq,
  };
}

import type { AbortWish, Job } from "@andon/contract";
import type { Clock } from "../ports/clock.ts";

/** An abort request from a flag outside the store. */
export interface FlagWish extends AbortWish {
  /** The tenant whose jobs the flag may stop. Default: every tenant. */
  tenant?: string | undefined;
  /** What the audit log calls the job. Default: `job`. */
  noun?: string | undefined;
}

/** The members of a job that a flag receives. */
export type FlaggedJob = Pick<Job, "id" | "tenant" | "payload">;

/** A place outside the store that may hold an abort request, such as a Redis key. */
export interface AbortFlag {
  /** Called before each chunk; returns null if there is no request for this job. */
  asked(jobId: string, job: FlaggedJob): Promise<FlagWish | null>;
}

/** A flag that does not answer within this time counts as not set: the walk must not depend on it. */
const LONGEST_ANSWER_MS = 200;

/**
 * Reads all flags at once and returns the first request that applies to this job: for its tenant, and later than its
 * last resume. A flag that fails or does not answer in time is ignored.
 */
export async function askFlags(
  clock: Clock,
  flags: readonly AbortFlag[],
  job: FlaggedJob,
  resumedAt: number | null,
): Promise<FlagWish | null> {
  if (flags.length === 0) return null;
  const answers = await Promise.all(flags.map((flag) => inTime(clock, () => flag.asked(job.id, job))));
  const holds = (wish: FlagWish) =>
    (wish.tenant === undefined || wish.tenant === job.tenant) && wish.requestedAt > (resumedAt ?? 0);
  return answers.find((wish): wish is FlagWish => wish !== null && holds(wish)) ?? null;
}

function inTime(clock: Clock, ask: () => Promise<FlagWish | null>): Promise<FlagWish | null> {
  return new Promise((resolve) => {
    const stop = clock.after(LONGEST_ANSWER_MS, () => resolve(null));
    const answer = (wish: FlagWish | null) => {
      stop();
      resolve(wish);
    };
    Promise.resolve()
      .then(ask)
      .then(answer, () => answer(null));
  });
}

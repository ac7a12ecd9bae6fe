import type { AbortWish, Job } from "@andon/contract";
import type { Clock } from "../ports/clock.ts";

/** A wish that an abort flag outside of the store has told. */
export interface FlagWish extends AbortWish {
  /** Whose jobs the flag may stop. Default: anybody's. */
  tenant?: string | undefined;
  /** What the audit log calls the job. Default: `job`. */
  noun?: string | undefined;
}

/** What a flag may know of the job that it is asked about. */
export type FlaggedJob = Pick<Job, "id" | "tenant" | "payload">;

/** A place outside of the store where a wish to abort may be left: a key of Redis, say. */
export interface AbortFlag {
  /** Asked before each chunk; null where nobody wants this job to stop. */
  asked(jobId: string, job: FlaggedJob): Promise<FlagWish | null>;
}

/** A flag that is silent for this long counts as none: the walk must not depend on it. */
const LONGEST_ANSWER_MS = 200;

/**
 * Asks all flags at once and returns the first wish that holds for this job: one of its tenant, and none from before it was last
 * resumed. A flag that fails or is silent is left out.
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

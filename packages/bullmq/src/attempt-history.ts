/**
 * BullMQ keeps how often a job was tried, and not when. The guard adds a field to the job's own hash for each attempt that fails, in
 * the script that writes the failure; it is deleted with the job.
 */
const FIELD = "andon:attempt:";

const LONGEST_ERROR = 1_000;

export interface FailedAttempt {
  readonly at: number;
  readonly error: string;
}

/** The field of an attempt that fails now, to be written with the others. */
export function attemptField(error: string, now: number): Record<string, string> {
  return { [`${FIELD}${now}`]: error.slice(0, LONGEST_ERROR) };
}

/** The last attempts of a job, oldest first: those before a retry by hand are not of this round. */
export function attemptsOf(hash: Readonly<Record<string, string>>, made: number): FailedAttempt[] {
  return Object.entries(hash)
    .filter(([field]) => field.startsWith(FIELD))
    .map(([field, error]) => ({ at: Number(field.slice(FIELD.length)), error }))
    .sort((a, b) => a.at - b.at)
    .slice(-Math.max(made, 1));
}

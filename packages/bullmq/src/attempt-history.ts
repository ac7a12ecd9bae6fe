/**
 * BullMQ keeps the number of a job's attempts, but not their times. For each failed attempt the guard adds a field to the job's hash,
 * in the script that writes the failure. The fields are deleted with the job.
 */
const FIELD = "andon:attempt:";

const LONGEST_ERROR = 1_000;

export interface FailedAttempt {
  readonly at: number;
  readonly error: string;
}

/** The field for an attempt that fails now, written together with BullMQ's own fields. */
export function attemptField(error: string, now: number): Record<string, string> {
  return { [`${FIELD}${now}`]: error.slice(0, LONGEST_ERROR) };
}

/** The last `made` attempts, oldest first. A retry by hand resets the count, so attempts before it are left out. */
export function attemptsOf(hash: Readonly<Record<string, string>>, made: number): FailedAttempt[] {
  return Object.entries(hash)
    .filter(([field]) => field.startsWith(FIELD))
    .map(([field, error]) => ({ at: Number(field.slice(FIELD.length)), error }))
    .sort((a, b) => a.at - b.at)
    .slice(-Math.max(made, 1));
}

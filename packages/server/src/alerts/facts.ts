import { type Job, waitingOf } from "@andon/contract";
import type { JobWords, StoreTx } from "@andon/engine";

/** How many jobs of a queue wait, as this transaction sees it. */
export async function waitingJobs(tx: StoreTx, queue: string): Promise<number> {
  return waitingOf(await tx.counts(queue));
}

/** As far as is looked for a failed job that stands in no lane: nothing waits for it, so others come first. */
const MOST_LOOKED_AT = 500;

/** The last job that failed and stands in no lane; those that hold lanes have alerts of their own. */
export async function failedOutsideLanes(tx: StoreTx, queue: string): Promise<Job | undefined> {
  const [last] = await tx.query<{ id: string }>(
    `select j.id from (
  select pos from andon_aside where queue = $1 and state = 'failed' order by at desc, pos desc limit ${MOST_LOOKED_AT}
) f join andon_jobs j on j.pos = f.pos where j.lane_keys is null limit 1`,
    [queue],
  );
  return last && tx.job({ id: last.id });
}

/** What an alert about a failed job tells: the ticket is called `jobId`, the id `syncEventId`. */
export function failureDetails(job: Job, words: JobWords, error: string, pendingJobCount: number) {
  const { aggregateType, aggregateId, eventType, name } = words;
  return {
    jobId: job.ticket,
    syncEventId: job.id,
    aggregateType,
    aggregateId,
    eventType,
    ...(name === undefined ? {} : { name }),
    error,
    pendingJobCount,
    queue: job.queue,
  };
}

import type { Job } from "@andon/contract";
import type { JobWords, Tx } from "@andon/engine";

/**
 * How many jobs of a queue wait, as this transaction sees it. The engine sums the same rows, but through a connection
 * of its own, which a transaction must not wait for.
 */
export async function waitingJobs(tx: Tx, queue: string): Promise<number> {
  const [sum] = await tx.query<{ waiting: unknown }>(
    "select coalesce(sum(ready + blocked + parked), 0) as waiting from andon_tallies where queue = $1 and id > 0",
    [queue],
  );
  return Number(sum?.waiting ?? 0);
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

import type { JobDescription } from "@andon/app";
import { errorText, type Job, type JobCounts, type JobError, type Localized } from "@andon/contract";

/** Jobs that are ready or blocked. Parked and scheduled jobs do not wait for a worker. */
export function waitingIn({ ready, blocked }: JobCounts): number {
  return ready + blocked;
}

/** An error as one line in both languages, if the error has both. */
export function errorTexts(error: Pick<JobError, "code" | "texts"> | null): Localized | undefined {
  if (!error?.texts) return undefined;
  const { code, texts } = error;
  return { en: errorText({ code, message: texts.en }), ko: errorText({ code, message: texts.ko }) };
}

/** The details of an alert about a failed job: `jobId` is the ticket, `syncEventId` the id. */
export function failureDetails(job: Job, described: JobDescription, error: string, pendingJobCount: number) {
  const { aggregateType, aggregateId, eventType, name } = described;
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

import type { JobDescription } from "@andon/app";
import { errorText, type Job, type JobCounts, type JobError, type Localized } from "@andon/contract";

/** Jobs that could run or stand behind others. One that is parked, or has a later time, waits for nobody here. */
export function waitingIn({ ready, blocked }: JobCounts): number {
  return ready + blocked;
}

/** An error in one line in both languages, where it is one of ours. */
export function errorTexts(error: Pick<JobError, "code" | "texts"> | null): Localized | undefined {
  if (!error?.texts) return undefined;
  const { code, texts } = error;
  return { en: errorText({ code, message: texts.en }), ko: errorText({ code, message: texts.ko }) };
}

/** What an alert about a failed job tells: the ticket is called `jobId`, the id `syncEventId`. */
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

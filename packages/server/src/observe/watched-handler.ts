import type { Job } from "@andon/contract";
import { type Handler, JobAborted, Park, Snooze } from "@andon/engine";
import type { Logger } from "pino";
import type { Traces } from "./traces.ts";

/** Wraps every handler of the process: a span in the trace of the request that added the job, and a log line if it throws. */
export function watchedHandlers(log: Logger, traces: Traces) {
  return (queue: string, handler: Handler<never>): Handler<never> =>
    (job, context) => {
      const tell = (error: unknown): never => {
        tellFailure(log, job, context.attempt, error);
        throw error;
      };
      const attributes = { "andon.queue": queue, "andon.job": job.id, "andon.attempt": context.attempt };
      return traces.inTrace(job.traceId, `job ${queue}`, attributes, () => {
        try {
          const returned = handler(job, context);
          return returned instanceof Promise ? returned.catch(tell) : returned;
        } catch (error) {
          return tell(error);
        }
      });
    };
}

function tellFailure(log: Logger, job: Job, attempt: number, error: unknown): void {
  const facts = { queue: job.queue, jobId: job.id, ticket: job.ticket, attempt, traceId: job.traceId };
  if (error instanceof Snooze) log.debug({ ...facts, ms: error.ms }, "job put off");
  else if (error instanceof Park) log.debug({ ...facts, event: error.event }, "job parked");
  else if (error instanceof JobAborted) log.info({ ...facts, cause: error.cause }, "job aborted");
  else log.warn({ ...facts, err: error }, "job attempt failed");
}

import type { JobDecision } from "@andon/app";
import { AndonError, type Principal } from "@andon/contract";
import type { JobRow, QueueRow } from "@andon/engine";
import type { Site, SiteQueue } from "../site.ts";
import { scopeOf } from "./scope.ts";

/** A queue that the store knows, whichever process defines it. */
export async function knownQueue(site: Site, name: string): Promise<QueueRow> {
  const row = await site.andon.store.read.queue(name);
  if (row) return row;
  const defined = site.queues.get(name);
  if (!defined) throw new AndonError("QUEUE_NOT_FOUND", { queue: name });
  // Defined in this process but not used yet: reading its status creates the row.
  await defined.queue.status();
  return (await site.andon.store.read.queue(name)) as QueueRow;
}

/** A queue that this process can decide about, because it has the queue's rules and hooks. */
export async function decidableQueue(site: Site, name: string): Promise<SiteQueue> {
  const defined = site.queues.get(name);
  if (defined) return defined;
  await knownQueue(site, name);
  throw new AndonError("QUEUE_NOT_DEFINED", { queue: name });
}

/** The queue of a job, if the rules of its app allow this decision. */
export async function queueToDecide(site: Site, job: JobRow, decision: JobDecision): Promise<SiteQueue> {
  const queue = await decidableQueue(site, job.queue);
  await queue.mayDecide?.(job, decision);
  return queue;
}

const TICKET = /^\d{1,15}$/;

/** One job by its UUID or ticket, if the caller may see it. */
export async function visibleJob(site: Site, principal: Principal, reference: string): Promise<JobRow> {
  const by = TICKET.test(reference) ? { ticket: reference } : { id: reference };
  const job = await site.andon.store.read.job(by, scopeOf(principal));
  if (!job) throw new AndonError("JOB_NOT_FOUND", { job: reference });
  return job;
}

/** As `visibleJob`, for paths that name a queue and a job. */
export async function jobInQueue(
  site: Site,
  principal: Principal,
  queue: string,
  reference: string,
): Promise<JobRow> {
  await knownQueue(site, queue);
  const job = await visibleJob(site, principal, reference);
  if (job.queue !== queue) throw new AndonError("JOB_NOT_FOUND", { job: reference });
  return job;
}

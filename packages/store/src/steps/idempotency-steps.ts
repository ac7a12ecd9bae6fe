import type { NewJob } from "@andon/engine";
import { type StepContext, shared } from "./statement-registry.ts";

const take = shared(
  "idempotency-take",
  () => `insert into andon_idempotency (queue, tenant, idempotency_key, job_id) values (@queue, @tenant, @key, @id)
on conflict do nothing`,
);
const known = shared(
  "idempotency-known",
  // One row by its key, then the other by its own: a join could start at either table, and read all of it.
  () => `select id, pos, ticket, seq from andon_jobs where id = (
  select job_id from andon_idempotency where queue = @queue and tenant = @tenant and idempotency_key = @key
)`,
);

export interface KnownJob {
  id: string;
  pos: number;
  ticket: number | null;
  seq: number | null;
}

/**
 * Takes the jobs' idempotency keys, in key order so that two batches cannot deadlock, and returns the jobs that already
 * had one of them. Waits for another transaction that is about to take the same key.
 */
export async function takeIdempotencyKeys(
  at: StepContext,
  queue: string,
  jobs: readonly NewJob[],
): Promise<Map<NewJob, KnownJob | { sameBatch: NewJob }>> {
  const found = new Map<NewJob, KnownJob | { sameBatch: NewJob }>();
  const inBatch = new Map<string, NewJob>();
  const keyed = jobs.filter((job) => job.idempotencyKey !== null);
  keyed.sort((a, b) => (order(a) < order(b) ? -1 : order(a) > order(b) ? 1 : 0));
  for (const job of keyed) {
    const twin = inBatch.get(order(job));
    if (twin) {
      found.set(job, { sameBatch: twin });
      continue;
    }
    const existing = await takeKey(at, queue, job);
    if (existing) found.set(job, existing);
    else inBatch.set(order(job), job);
  }
  return found;
}

/** A purge may delete the job that had the key between the two statements; then the key is free after all. */
const MOST_TRIES = 3;

/** The job that already has the key; undefined if the given job has it now. */
async function takeKey(at: StepContext, queue: string, job: NewJob): Promise<KnownJob | undefined> {
  const values = { queue, tenant: job.tenant, key: job.idempotencyKey };
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    if ((await at.session.run(take(at.dialect), { ...values, id: job.id })) === 1) return undefined;
    const [existing] = await at.session.all<KnownJob>(known(at.dialect), values);
    if (existing) return existing;
  }
  throw new Error(`the idempotency key "${job.idempotencyKey}" of queue "${queue}" is taken, but by no job`);
}

function order(job: NewJob): string {
  return `${job.tenant}\n${job.idempotencyKey}`;
}

/**
 * The columns of andon_queues that make a QueueRow. Statements name their columns: a newer version may add some while
 * this one runs, and PostgreSQL refuses a prepared `select *` from then on.
 */
export const QUEUE_COLUMNS =
  "name, state, epoch, stopped_at, stop_reason, stop_actor, stop_job_id, stop_id, probe_job_id, degraded_at, ramp, unworked_at";

import { alongIndex } from "./along-index.ts";

const firstOfQueue = alongIndex({ "t.queue": "q.queue" }, ["t.due_at", "t.pos"]);

/**
 * When the first timer of each queue is due. Steps from queue to queue along the index: of a million timers one per
 * queue is read.
 */
export const FIRST_TIMERS = `with recursive q(queue) as (
  select (select t.queue from andon_timers t order by t.queue limit 1)
  union all
  select (select t.queue from andon_timers t where t.queue > q.queue order by t.queue limit 1) from q where q.queue is not null
)
select q.queue, (
  select t.due_at from andon_timers t where ${firstOfQueue.where} order by ${firstOfQueue.order} limit 1
) as due
from q where q.queue is not null`;

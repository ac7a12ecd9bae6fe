select q.name as queue,
  (select j.created_at from andon_jobs j where j.pos = (
    select r.pos from andon_ready r where r.queue = q.name order by r.rank, r.pos limit 1
  )) as oldest,
  (select coalesce(sum(t.done), 0) || ' ' || count(*) || ' ' || coalesce(min(t.at), 0) from (
    select done, at from andon_turns where queue >= q.name and queue <= q.name order by queue desc, id desc limit @most
  ) t where t.at > @since) as turns
from andon_queues q where q.name = any(@queues::text[]);

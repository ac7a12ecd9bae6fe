select q.name as queue,
  (select case when t.at > @now then 0 else t.at end from andon_turns t
   where queue >= q.name and queue <= q.name and (t.done > 0 or exists (
     select 1 from andon_turns l where l.queue = q.name and l.id > t.id and l.claimed > 0))
   order by queue, id limit 1) as done,
  (select min(a.at) from andon_aside a where a.queue = q.name and a.state = 'cancelled') as cancelled,
  (select min(a.at) from andon_aside a where a.queue = q.name and a.state = 'skipped') as skipped,
  (select min(a.at) from andon_aside a where a.queue = q.name and a.state = 'resolved') as resolved,
  (select min(p.expires_at) from andon_plans p where p.queue = q.name) as plan
from (select name from unnest(@queues::text[]) as listed(name)) q;

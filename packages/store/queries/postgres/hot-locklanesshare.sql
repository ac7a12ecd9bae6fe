with 
cord as materialized (select pg_advisory_xact_lock_shared(5017261, hashtext($1))),
queue as materialized (
  select q.state from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for share
)
select count(*) as lanes from (
  select 1 from andon_lanes l
  where l.queue = $1 and l.lane_key = any($2::text[]) and (select count(*) from queue) = 1
  order by l.lane_key for update
) l;

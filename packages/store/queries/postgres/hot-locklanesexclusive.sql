with 
cord as materialized (select pg_advisory_xact_lock(5017261, hashtext($1))),
queue as materialized (
  select q.state from andon_queues q where q.name = $1 and (select count(*) from cord) = 1 for update
),
locked as materialized (
  select l.lane_key from andon_lanes l
  where l.queue = $1 and l.lane_key = any($2::text[]) and (select count(*) from queue) = 1
  for update skip locked
)
select set_config('andon.busy', case when (select count(*) from locked) = cardinality($2::text[]) then '' else (
  select string_agg(distinct k.pos::text, ',') from unnest($3::bigint[], $4::text[]) as k(pos, lane_key)
  where k.lane_key <> all(array(select lane_key from locked))
) end, true);

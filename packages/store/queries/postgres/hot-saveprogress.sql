with held as materialized (
  select r.pos from unnest($1::text[], $2::bigint[], $3::int[]) as t(queue, pos, fence)
  cross join lateral (
    select r.pos from andon_running r
    where r.queue = t.queue and r.pos = t.pos and r.fence = t.fence
    for key share skip locked
  ) r
)
update andon_jobs j set progress = $4::jsonb ->> j.pos::text
where j.pos = any(array(select pos from held))
returning j.pos;

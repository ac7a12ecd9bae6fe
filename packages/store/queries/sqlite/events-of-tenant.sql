select * from (
  select * from (
    select id, type, at, queue, job_id, tenant, data from andon_events
    where tenant = @tenant and id > @after order by id limit @most
  ) own
  union all
  select * from (
    select id, type, at, queue, job_id, tenant, data from andon_events
    where substr(type, 1, 6) = 'queue.' and id > @after and (tenant is null or tenant <> @tenant) order by id limit @most
  ) shared
) e order by id limit @most;

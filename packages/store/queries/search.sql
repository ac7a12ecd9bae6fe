-- search-count-fingerprint
select count(*) as jobs from (select 1 from andon_ended where queue = @queue and fingerprint = @fingerprint and state = @state limit @most) found;

-- search-count-organization
select count(*) as jobs from (select 1 from andon_jobs where organization = @organization and tenant = @tenant and queue = @queue limit @most) found;

-- search-count-organization-ended
select count(*) as jobs from (select 1 from andon_ended where organization = @organization and tenant = @tenant and queue = @queue and state = @state limit @most) found;

-- search-count-states (SQLite)
select case when j.state <> 'open' then j.state
  else (select s.job_state from andon_job_states s where s.pos = j.pos) end as state, count(*) as jobs
from andon_jobs j where j.pos in (select value from json_each(@positions)) group by 1;

-- search-count-states (PostgreSQL)
select case when j.state <> 'open' then j.state
  else (select s.job_state from andon_job_states s where s.pos = j.pos) end as state, count(*) as jobs
from andon_jobs j where j.pos = any(@positions::bigint[]) group by 1;

-- search-count-tenant
select count(*) as jobs from (select 1 from andon_jobs where tenant = @tenant and tenant <> 'default' and queue = @queue limit @most) found;

-- search-count-tenant-ended
select count(*) as jobs from (select 1 from andon_ended where tenant = @tenant and tenant <> 'default' and queue = @queue and state = @state limit @most) found;

-- search-fingerprint
select pos from andon_ended
where queue = @queue and fingerprint = @fingerprint and state = @state order by at desc limit @most;

-- search-first-key
select pos from andon_jobs
where queue = @queue and lane_keys is not null and substr(lane_keys, 1, 160) = @alone order by pos desc limit @most;

-- search-first-of-keys
select pos from andon_jobs
where queue = @queue and lane_keys is not null and substr(lane_keys, 1, 160) >= @first and substr(lane_keys, 1, 160) < @end
order by substr(lane_keys, 1, 160), pos limit @most;

-- search-lane
select pos from andon_lane_jobs where queue = @queue and lane_key = @key order by seq desc limit @most;

-- search-last-of-all
select pos, case when queue = @queue then 1 else 0 end as is_own from andon_jobs
order by pos desc limit @most;

-- search-match (SQLite)
select j.pos from andon_jobs j where j.pos in (select value from json_each(@positions))
  and (cast(@state as text) is null or j.state = @state)
  and (cast(@queue as text) is null or j.queue = @queue)
  and (cast(@name as text) is null or j.name = @name)
  and (cast(@tenant as text) is null or j.tenant = @tenant)
  and (cast(@organization as text) is null or j.organization = @organization)
  and (cast(@from as bigint) is null or j.created_at >= @from)
  and (cast(@to as bigint) is null or j.created_at < @to)
  and (cast(@fingerprint as text) is null or j.fingerprint = @fingerprint)
  and (cast(@code as text) is null or j.error_code = @code)
  and (cast(@firstKey as text) is null
    or replace(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''), @firstKey, '') <> replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '') or replace(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''), @laterKey, '') <> replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''))
  and (cast(@text as text) is null
    or replace(lower(j.id), @text, '') <> lower(j.id) or replace(lower(j.name), @text, '') <> lower(j.name) or replace(lower(j.error_message), @text, '') <> lower(j.error_message)
    or replace(lower(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '')), @textInJson, '') <> lower(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '')) or replace(lower(cast(coalesce(j.ticket, j.pos) as text)), @text, '') <> lower(cast(coalesce(j.ticket, j.pos) as text)));

-- search-match (PostgreSQL)
select j.pos from andon_jobs j where j.pos = any(@positions::bigint[])
  and (cast(@state as text) is null or j.state = @state)
  and (cast(@queue as text) is null or j.queue = @queue)
  and (cast(@name as text) is null or j.name = @name)
  and (cast(@tenant as text) is null or j.tenant = @tenant)
  and (cast(@organization as text) is null or j.organization = @organization)
  and (cast(@from as bigint) is null or j.created_at >= @from)
  and (cast(@to as bigint) is null or j.created_at < @to)
  and (cast(@fingerprint as text) is null or j.fingerprint = @fingerprint)
  and (cast(@code as text) is null or j.error_code = @code)
  and (cast(@firstKey as text) is null
    or replace(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''), @firstKey, '') <> replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '') or replace(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''), @laterKey, '') <> replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''))
  and (cast(@text as text) is null
    or replace(lower(j.id), @text, '') <> lower(j.id) or replace(lower(j.name), @text, '') <> lower(j.name) or replace(lower(j.error_message), @text, '') <> lower(j.error_message)
    or replace(lower(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '')), @textInJson, '') <> lower(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '')) or replace(lower(cast(coalesce(j.ticket, j.pos) as text)), @text, '') <> lower(cast(coalesce(j.ticket, j.pos) as text)));

-- search-match-in-line (SQLite)
select j.pos, j.job_state as state from andon_job_states j
where j.pos in (select value from json_each(@positions))
  and (cast(@state as text) is null or j.job_state = @state)
  and (cast(@queue as text) is null or j.queue = @queue)
  and (cast(@name as text) is null or j.name = @name)
  and (cast(@tenant as text) is null or j.tenant = @tenant)
  and (cast(@organization as text) is null or j.organization = @organization)
  and (cast(@from as bigint) is null or j.created_at >= @from)
  and (cast(@to as bigint) is null or j.created_at < @to)
  and (cast(@fingerprint as text) is null or j.fingerprint = @fingerprint)
  and (cast(@code as text) is null or j.error_code = @code)
  and (cast(@firstKey as text) is null
    or replace(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''), @firstKey, '') <> replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '') or replace(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''), @laterKey, '') <> replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''))
  and (cast(@text as text) is null
    or replace(lower(j.id), @text, '') <> lower(j.id) or replace(lower(j.name), @text, '') <> lower(j.name) or replace(lower(j.error_message), @text, '') <> lower(j.error_message)
    or replace(lower(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '')), @textInJson, '') <> lower(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '')) or replace(lower(cast(coalesce(j.ticket, j.pos) as text)), @text, '') <> lower(cast(coalesce(j.ticket, j.pos) as text)));

-- search-match-in-line (PostgreSQL)
select j.pos, j.job_state as state from andon_job_states j
where j.pos = any(@positions::bigint[])
  and (cast(@state as text) is null or j.job_state = @state)
  and (cast(@queue as text) is null or j.queue = @queue)
  and (cast(@name as text) is null or j.name = @name)
  and (cast(@tenant as text) is null or j.tenant = @tenant)
  and (cast(@organization as text) is null or j.organization = @organization)
  and (cast(@from as bigint) is null or j.created_at >= @from)
  and (cast(@to as bigint) is null or j.created_at < @to)
  and (cast(@fingerprint as text) is null or j.fingerprint = @fingerprint)
  and (cast(@code as text) is null or j.error_code = @code)
  and (cast(@firstKey as text) is null
    or replace(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''), @firstKey, '') <> replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '') or replace(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''), @laterKey, '') <> replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', ''))
  and (cast(@text as text) is null
    or replace(lower(j.id), @text, '') <> lower(j.id) or replace(lower(j.name), @text, '') <> lower(j.name) or replace(lower(j.error_message), @text, '') <> lower(j.error_message)
    or replace(lower(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '')), @textInJson, '') <> lower(replace(j.lane_keys, '\u0001' || replace(replace(j.tenant, '\', '\\'), '"', '\"') || '\u0001', '')) or replace(lower(cast(coalesce(j.ticket, j.pos) as text)), @text, '') <> lower(cast(coalesce(j.ticket, j.pos) as text)));

-- search-newest-before
select pos, created_at from andon_jobs where pos < @before order by pos desc limit @most;

-- search-oldest
select pos from andon_jobs order by pos limit @most;

-- search-organization
select pos from andon_jobs
where organization = @organization and tenant = @tenant and queue = @queue and pos >= @first and pos < @end
order by pos desc limit @most;

-- search-organization-ended
select pos from andon_ended
where organization = @organization and tenant = @tenant and queue = @queue and state = @state
order by at desc, pos desc limit @most;

-- search-range
select pos from andon_jobs where pos >= @first and pos < @end order by pos desc limit @most;

-- search-tenant
select pos from andon_jobs
where tenant = @tenant and tenant <> 'default' and queue = @queue and pos >= @first and pos < @end
order by pos desc limit @most;

-- search-tenant-ended
select pos from andon_ended
where tenant = @tenant and tenant <> 'default' and queue = @queue and state = @state
order by at desc, pos desc limit @most;

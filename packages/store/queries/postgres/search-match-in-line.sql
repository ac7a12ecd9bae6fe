select j.pos, j.job_state as state from andon_job_states j
where j.pos = any(@positions::bigint[])
  and (cast(@state as text) is null or j.job_state = @state)
  and (cast(@queue as text) is null or j.queue = @queue)
  and (cast(@name as text) is null or j.name = @name)
  and (cast(@tenant as text) is null or j.tenant = @tenant)
  and (cast(@from as bigint) is null or j.created_at >= @from)
  and (cast(@to as bigint) is null or j.created_at < @to)
  and (cast(@fingerprint as text) is null or j.fingerprint = @fingerprint)
  and (cast(@firstKey as text) is null
    or replace(j.lane_keys, @firstKey, '') <> j.lane_keys or replace(j.lane_keys, @laterKey, '') <> j.lane_keys)
  and (cast(@text as text) is null
    or replace(lower(j.id), @text, '') <> lower(j.id) or replace(lower(j.name), @text, '') <> lower(j.name) or replace(lower(j.error_message), @text, '') <> lower(j.error_message)
    or replace(lower(j.lane_keys), @textInJson, '') <> lower(j.lane_keys) or replace(lower(cast(coalesce(j.ticket, j.pos) as text)), @text, '') <> lower(cast(coalesce(j.ticket, j.pos) as text)));

insert into andon_aside (pos, queue, state, at, fingerprint, tenant)
select pos, queue, @state, cast(@at as bigint), fingerprint, tenant from andon_jobs where pos in (select value from json_each(@positions));

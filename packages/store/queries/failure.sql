-- failures-any
select 1 as found from andon_ended where queue = @queue and fingerprint = @fingerprint and state = 'failed' limit 1;

-- failures-count
select count(*) as jobs from (select 1 from andon_ended where queue = @queue and fingerprint = @fingerprint and state = 'failed' limit @most) found;

-- failures-without-lane
select f.fingerprint, count(*) as count, max(f.pos) as newest from (
  select pos, fingerprint from andon_ended where queue = @queue and state = 'failed' order by at desc, pos desc limit @most
) f where (select j.lane_keys from andon_jobs j where j.pos = f.pos) is null and f.fingerprint is not null
group by f.fingerprint;

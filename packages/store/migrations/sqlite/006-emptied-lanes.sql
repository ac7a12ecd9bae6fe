-- Lanes go with their last job. The same names and columns stand in ../postgres/006-emptied-lanes.sql; a test compares the two.

-- How many of the places that a lane has given away are of jobs that the store no longer keeps. While there are others, a
-- lane that began to count anew would put new jobs before old ones.
alter table andon_lanes add column gone integer not null default 0;
update andon_lanes set gone = next_seq where lane_key <> '';
update andon_lanes set gone = andon_lanes.next_seq - k.jobs
from (
  select j.queue, k.value as lane_key, count(*) as jobs
  from andon_jobs j cross join json_each(j.lane_keys) k
  where j.seq is not null
  group by j.queue, k.value
) k
where andon_lanes.queue = k.queue and andon_lanes.lane_key = k.lane_key;
delete from andon_lanes where lane_key <> '' and depth = 0 and held_at is null and gone = next_seq;

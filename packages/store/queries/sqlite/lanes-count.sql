select count(*) as total from (select 1 from andon_lanes where queue = @queue and lane_key <> '' limit 10001) l;

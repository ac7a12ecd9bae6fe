select count(*) as lanes from (select 1 from andon_lanes where queue = @queue and lane_key <> '' limit @most) l;

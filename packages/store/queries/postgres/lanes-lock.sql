select * from andon_lanes where queue = @queue and lane_key in (select unnest(@keys::text[]))
order by lane_key for update;

select * from andon_lanes where queue = @queue and lane_key <> '' order by lane_key limit @limit offset @offset;

select * from andon_lanes where queue = @queue and held_at is not null
order by held_at, lane_key limit @limit offset @offset;

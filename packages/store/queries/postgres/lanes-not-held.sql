select count(*) as lanes from andon_lanes where queue = @queue and lane_key = any(@keys::text[]) and held_at is null;

select lane_key from andon_lanes where queue = @queue and lane_key = any(@keys::text[]) for update skip locked;

select count(*) as lanes from andon_lanes where queue = @queue and lane_key in (select value from json_each(@keys)) and held_at is null;

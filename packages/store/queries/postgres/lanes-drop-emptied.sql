delete from andon_lanes where queue = @queue and lane_key = any(@keys::text[])
and depth = 0 and held_at is null and gone + @places = next_seq returning lane_key;

insert into andon_lanes (queue, lane_key) values (@queue, @key)
on conflict (queue, lane_key) do update set depth = andon_lanes.depth;

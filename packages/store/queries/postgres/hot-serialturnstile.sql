insert into andon_lanes (queue, lane_key, next_seq) values ($1, '', 1)
on conflict (queue, lane_key) do update set next_seq = andon_lanes.next_seq + 1;

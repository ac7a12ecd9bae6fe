insert into andon_lanes (queue, lane_key, next_seq, head_seq, depth) values (?1, ?2, 1, 1, 1);

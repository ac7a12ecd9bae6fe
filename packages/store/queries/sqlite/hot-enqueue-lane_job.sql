insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes) values (?1, ?2, ?3, ?4, ?5);

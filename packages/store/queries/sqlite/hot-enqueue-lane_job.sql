insert into andon_lane_jobs (queue, lane_key, seq, pos) values (?1, ?2, ?3, ?4);

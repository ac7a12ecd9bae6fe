insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes) values (@queue, @key, @seq, @pos, @lanes);

insert into andon_lane_jobs (queue, lane_key, seq, pos) values (@queue, @key, @seq, @pos);

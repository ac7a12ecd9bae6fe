select pos, lane_key, seq from andon_lane_jobs
where (queue, lane_key, seq) > (@queue, @first, @second) and queue <= @queue order by queue, lane_key, seq limit @most;

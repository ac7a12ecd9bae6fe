select seq, pos from andon_lane_jobs
where queue = @queue and lane_key = @key and seq > @after order by seq limit @most;

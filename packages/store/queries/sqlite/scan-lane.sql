select seq as place, pos from andon_lane_jobs
where queue = @queue and lane_key = @key and seq > @place order by seq limit @most;

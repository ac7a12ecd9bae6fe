-- scan-blocked
select distinct 0 as place, m.pos from andon_lane_jobs m
where m.queue || '' = @queue and m.pos > @pos and m.seq <> (select l.head_seq from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)
order by m.pos limit @most;

-- scan-ended
select at as place, pos from andon_ended
where queue = @queue and state = @state and (at, pos) > (@place, @pos) order by at, pos limit @most;

-- scan-lane
select seq as place, pos from andon_lane_jobs
where queue = @queue and lane_key = @key and seq > @place order by seq limit @most;

-- scan-ready
select rank as place, pos from andon_ready
where queue = @queue and (rank, pos) > (@place, @pos) order by rank, pos limit @most;

-- scan-running
select 0 as place, pos from andon_running where queue = @queue and pos > @pos order by pos limit @most;

-- scan-timers
select 0 as place, pos from andon_timers where queue = @queue and pos > @pos order by pos limit @most;

insert into andon_ready (queue, rank, pos, share)
select ?1, j.rank, j.pos, j.share from (
  select pos, lanes from andon_lane_jobs where queue = ?1 and lane_key = ?2 and seq > ?3 order by seq limit 1
) m cross join andon_jobs j on j.pos = m.pos
where m.lanes = 1 and (select held_at from andon_lanes where queue = ?1 and lane_key = ?2) is null;

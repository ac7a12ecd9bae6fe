insert into andon_ready (queue, rank, pos, share)
select j.queue, j.rank, j.pos, j.share from andon_lane_jobs m join andon_jobs j on j.pos = m.pos
where m.queue = ?1 and m.lane_key = ?2 and m.seq = ?3 and m.lanes = 1;

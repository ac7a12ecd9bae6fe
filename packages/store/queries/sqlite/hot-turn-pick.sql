select j.pos, j.id, j.ticket, j.name, j.tenant, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.fence + 1 as fence
from (select rank, pos from andon_ready where queue = ?1 order by rank, pos limit ?2) r
join andon_jobs j on j.pos = r.pos order by r.rank, r.pos;

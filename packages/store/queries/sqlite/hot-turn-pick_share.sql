select j.pos, j.id, j.ticket, j.name, j.tenant, j.lane_keys, j.seq, j.rank, j.payload, j.attempts, j.stalled, j.run_at, j.created_at, j.cursor, j.trace_id, j.share, j.fence + 1 as fence
from andon_ready r cross join andon_jobs j on j.pos = r.pos
where r.queue = ?1 and r.share = ?2 order by r.rank, r.pos limit ?3 + 0;

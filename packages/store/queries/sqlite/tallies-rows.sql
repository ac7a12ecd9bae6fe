select id, queue, merged, scheduled, blocked, ready, running, parked, done, failed, cancelled, skipped, resolved, aborted, purged, held from andon_tallies order by id limit @most;

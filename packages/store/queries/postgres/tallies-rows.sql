select id, queue, merged, scheduled, blocked, ready, running, parked, done, failed, cancelled, skipped, resolved, aborted, purged from andon_tallies order by id limit @most for update skip locked;

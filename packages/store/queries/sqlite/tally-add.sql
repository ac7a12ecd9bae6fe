insert into andon_tallies (queue, merged, scheduled, blocked, ready, running, parked, done, failed, cancelled, skipped, resolved, aborted, purged, held)
values (@queue, @merged, @scheduled, @blocked, @ready, @running, @parked, @done, @failed, @cancelled, @skipped, @resolved, @aborted, @purged, @held);

with cord as materialized (select pg_advisory_xact_lock_shared(5017261, hashtext(@queue)))
select * from andon_queues where name = @queue and (select count(*) from cord) = 1 for share;

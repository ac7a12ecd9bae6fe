-- Timers of a queue in the order in which promotion takes them; the first of each queue is found without the others.
create index andon_timers_line on andon_timers (queue, due_at, pos);
drop index andon_timers_due;

-- Promotion empties the table from the front: what it deleted is stepped over until a vacuum.
alter table andon_timers set (autovacuum_vacuum_scale_factor = 0.0, autovacuum_vacuum_threshold = 20000);

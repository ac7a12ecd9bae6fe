-- Timers of a queue in the order in which promotion takes them; the first of each queue is found without the others.
create index andon_timers_line on andon_timers (queue, due_at, pos);
drop index andon_timers_due;

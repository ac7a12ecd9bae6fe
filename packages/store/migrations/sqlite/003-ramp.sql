-- A queue that is resumed in waves. Its state is then 'ramping', which no hot claim takes from: a queue that does not ramp
-- pays nothing for it. ramp is JSON: the sizes of the waves, the present one, and the jobs that it has started.
alter table andon_queues add column ramp text;

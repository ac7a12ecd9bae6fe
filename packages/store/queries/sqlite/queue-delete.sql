delete from andon_queues where name = @queue;

select * from andon_queues where name = @name;

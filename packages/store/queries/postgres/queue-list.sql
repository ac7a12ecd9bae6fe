select * from andon_queues order by name;

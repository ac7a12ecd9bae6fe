select count(*) as total from andon_stops where queue = @queue;

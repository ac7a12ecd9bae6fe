insert into andon_running (pos, queue, worker, fence, started_at) values (@pos, @queue, @worker, @fence, @now);

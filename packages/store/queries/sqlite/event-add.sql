insert into andon_events (type, at, queue, job_id, data) values (@type, @at, @queue, @jobId, @data);

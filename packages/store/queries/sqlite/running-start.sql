insert into andon_running (queue, pos, share, worker, fence, started_at)
select queue, pos, share, @worker, cast(@fence as integer), cast(@now as bigint) from andon_jobs where pos = @pos;

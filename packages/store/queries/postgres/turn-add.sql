insert into andon_turns (queue, epoch, worker, at, claimed, done, started)
values (@queue, @epoch, @worker, @now, 1, 0, @positions);

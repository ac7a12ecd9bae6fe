insert into andon_ready (queue, rank, pos, share) values (@queue, @rank, @pos, @share);

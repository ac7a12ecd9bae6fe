insert into andon_ready (queue, rank, pos) values (@queue, @rank, @pos);

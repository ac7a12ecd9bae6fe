insert into andon_queues (name) values (@name) on conflict do nothing;

insert into andon_housekeepers (role, worker, term, beat) values (@role, @worker, 1, 0) on conflict do nothing;

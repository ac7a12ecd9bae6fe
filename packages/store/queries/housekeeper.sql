-- housekeeper-beat
update andon_housekeepers set beat = beat + 1
where role = @role and worker = @worker and term = @term;

-- housekeeper-leave
delete from andon_housekeepers where role = @role and worker = @worker and term = @term;

-- housekeeper-take-free
insert into andon_housekeepers (role, worker, term, beat) values (@role, @worker, 1, 0) on conflict do nothing;

-- housekeeper-take-over
update andon_housekeepers set worker = @worker, term = term + 1, beat = 0
where role = @role and term = @term;

update andon_housekeepers set worker = @worker, term = term + 1, beat = 0
where role = @role and term = @term;

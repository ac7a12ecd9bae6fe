delete from andon_housekeepers where role = @role and worker = @worker and term = @term;

update andon_housekeepers set beat = beat + 1
where role = @role and worker = @worker and term = @term;

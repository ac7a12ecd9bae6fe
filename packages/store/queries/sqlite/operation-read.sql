select id, queue, action, actor, reason, tenant, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat from andon_operations where id = @id and (cast(@tenant as text) is null or tenant = @tenant);

insert into andon_operations (id, queue, action, actor, reason, tenant, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat)
values (@id, @queue, @action, @actor, @reason, @tenant, @details, @list, @state, @createdAt, @finishedAt, @total, @done,
  @requested, @leftOut, @leftOutJobs, @result, @nextStep, @nextItem, @driver, @beat);

update andon_operations set state = @state, finished_at = @finishedAt, total = @total, done = @done,
  requested = @requested, left_out = @leftOut, left_out_jobs = @leftOutJobs, result = @result, next_step = @nextStep,
  next_item = @nextItem, beat = beat + 1
where id = @id and driver = @driver and finished_at is null;

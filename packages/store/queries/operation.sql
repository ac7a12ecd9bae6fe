-- operation-add
insert into andon_operations (id, queue, action, actor, reason, tenant, organization, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat)
values (@id, @queue, @action, @actor, @reason, @tenant, @organization, @details, @list, @state, @createdAt, @finishedAt, @total, @done,
  @requested, @leftOut, @leftOutJobs, @result, @nextStep, @nextItem, @driver, @beat);

-- operation-beat
update andon_operations set beat = beat + 1 where id = @id and driver = @driver;

-- operation-leave
update andon_operations set driver = null, beat = beat + 1 where id = @id and driver = @driver and finished_at is null;

-- operation-lock (SQLite)
select id, queue, action, actor, reason, tenant, organization, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat from andon_operations where id = @id;

-- operation-lock (PostgreSQL)
select id, queue, action, actor, reason, tenant, organization, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat from andon_operations where id = @id for update;

-- operation-read
select id, queue, action, actor, reason, tenant, organization, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat from andon_operations where id = @id and (cast(@tenant as text) is null or tenant = @tenant)
  and (cast(@organization as text) is null or organization = @organization);

-- operation-save
update andon_operations set state = @state, finished_at = @finishedAt, total = @total, done = @done,
  requested = @requested, left_out = @leftOut, left_out_jobs = @leftOutJobs, result = @result, next_step = @nextStep,
  next_item = @nextItem, beat = beat + 1
where id = @id and driver = @driver and finished_at is null;

-- operation-step-add
insert into andon_operation_steps (list, number, items) values (@list, @number, @items);

-- operation-step-read
select items from andon_operation_steps where list = @list and number = @number;

-- operation-steps-drop
delete from andon_operation_steps where list = @list and number < @before;

-- operation-take
update andon_operations set driver = @driver, beat = beat + 1
where id = @id and beat = @beat and finished_at is null;

-- operations-count
select count(*) as total from (
  select 1 from andon_operations where (cast(@tenant as text) is null or tenant = @tenant)
  and (cast(@organization as text) is null or organization = @organization) and (cast(@open as integer) = 0 or finished_at is null) order by created_at desc, id desc limit @most
) s;

-- operations-count-queue
select count(*) as total from (
  select 1 from andon_operations where queue >= @queue and queue <= @queue and (cast(@tenant as text) is null or tenant = @tenant)
  and (cast(@organization as text) is null or organization = @organization) and (cast(@open as integer) = 0 or finished_at is null) order by queue desc, created_at desc, id desc limit @most
) s;

-- operations-drop
delete from andon_operations where queue = @queue and created_at < @before and finished_at is not null;

-- operations-open
select id, queue, action, actor, reason, tenant, organization, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat from andon_operations where finished_at is null order by id limit @most;

-- operations-page
select id, queue, action, actor, reason, tenant, organization, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat from andon_operations where (cast(@tenant as text) is null or tenant = @tenant)
  and (cast(@organization as text) is null or organization = @organization) and (cast(@open as integer) = 0 or finished_at is null)
order by created_at desc, id desc limit @limit offset @offset;

-- operations-page-queue
select id, queue, action, actor, reason, tenant, organization, details, list, state, created_at, finished_at, total, done,
  requested, left_out, left_out_jobs, result, next_step, next_item, driver, beat from andon_operations where queue >= @queue and queue <= @queue and (cast(@tenant as text) is null or tenant = @tenant)
  and (cast(@organization as text) is null or organization = @organization) and (cast(@open as integer) = 0 or finished_at is null)
order by queue desc, created_at desc, id desc limit @limit offset @offset;

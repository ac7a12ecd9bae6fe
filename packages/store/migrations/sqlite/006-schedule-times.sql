-- Published to the views of apps: when a schedule is due next. Its columns change only with a new version of the contract.
create view andon_schedule_times as
select name, is_active, next_at, last_due_at from andon_schedules;

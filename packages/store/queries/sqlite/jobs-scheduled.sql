select pos from (
  select * from (
    select pos, due_at from andon_timers where queue = @queue and kind = 'later' order by due_at limit @most
  ) l
  union all
  select * from (
    select pos, due_at from andon_timers where queue = @queue and kind = 'backoff' order by due_at limit @most
  ) b
) t order by due_at, pos limit @limit offset @offset;

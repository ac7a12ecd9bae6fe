select pos from (
  select * from (
    select pos, due_at from andon_timers where queue = @queue and kind = 'later' order by due_at desc limit @most
  ) l
  union all
  select * from (
    select pos, due_at from andon_timers where queue = @queue and kind = 'backoff' order by due_at desc limit @most
  ) b
) t order by due_at desc, pos desc limit @limit offset @offset;

select pos from (
  select * from (
    select pos, due_at from andon_timers where (queue, kind) >= (@queue, 'later') and (queue, kind) <= (@queue, 'later') order by queue, kind, due_at limit @most
  ) l
  union all
  select * from (
    select pos, due_at from andon_timers where (queue, kind) >= (@queue, 'backoff') and (queue, kind) <= (@queue, 'backoff') order by queue, kind, due_at limit @most
  ) b
) t order by due_at, pos limit @limit offset @offset;

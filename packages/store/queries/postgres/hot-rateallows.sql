select min(t.at) + $1::bigint as at from (
  select t.claimed, t.at from andon_turns t where t.queue = $2 and t.claimed > 0 order by t.id desc limit coalesce($3::int, 0)
) t where t.at > $4::bigint - $1::bigint;

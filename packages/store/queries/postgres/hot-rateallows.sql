select min(t.at) + $1::bigint as at from (
  select claimed, at from andon_turns where queue >= $2 and queue <= $2 and claimed > 0 order by queue desc, id desc limit coalesce($3::int, 0)
) t where t.at > $4::bigint - $1::bigint;

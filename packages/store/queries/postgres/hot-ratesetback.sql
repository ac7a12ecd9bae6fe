update andon_turns set at = $1::bigint where queue = $2 and id = any(array(
  select t.id from (
    select id, at from andon_turns where queue >= $2 and queue <= $2 and claimed > 0 order by queue desc, id desc limit $3::int
  ) t where t.at > $1::bigint + $4::bigint
));

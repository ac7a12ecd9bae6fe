select max(finished_at) as last from (
  select finished_at from andon_attempts where finished_at < @before order by finished_at limit @most
) oldest;

select coalesce(sum(claimed), 0) as started, min(at) as first from (
  select claimed, at from andon_turns where queue = ?1 and claimed > 0 order by id desc limit ?2 + 0
) where at > ?3;

update andon_turns set at = ?3 where id in (
  select id from (
    select id, at from andon_turns where queue = ?1 and claimed > 0 order by id desc limit ?2 + 0
  ) where at > ?4
);

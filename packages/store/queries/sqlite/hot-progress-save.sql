update andon_jobs set progress = ?4 where pos = ?2 and exists (
  select 1 from andon_running where queue = ?1 and pos = ?2 and fence = ?3
);

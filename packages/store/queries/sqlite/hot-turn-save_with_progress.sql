update andon_jobs set state = 'done', fence = ?2, stalled = 0, worker = ?3, started_at = ?4,
  finished_at = ?5, result = ?6, error_code = null, error_message = null, fingerprint = null, progress = ?7 where pos = ?1;

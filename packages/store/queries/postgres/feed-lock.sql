select pg_advisory_xact_lock(5017262);

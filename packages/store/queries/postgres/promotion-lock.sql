select pg_try_advisory_xact_lock(5017264, hashtext(@queue)) as locked;

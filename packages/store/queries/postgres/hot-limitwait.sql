select set_config('lock_timeout', '100', true);

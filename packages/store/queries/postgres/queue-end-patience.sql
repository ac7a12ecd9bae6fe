set local lock_timeout to default;

select pg_notify('andon', @payload);

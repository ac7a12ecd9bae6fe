select pos, fingerprint, at, tenant from andon_aside
where tenant = @tenant and tenant <> 'default' and queue = @queue and state = 'failed'
order by at desc, pos desc limit @most;

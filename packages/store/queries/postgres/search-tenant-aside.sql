select pos from andon_aside
where tenant = @tenant and tenant <> 'default' and queue = @queue and state = @state
order by at desc, pos desc limit @most;

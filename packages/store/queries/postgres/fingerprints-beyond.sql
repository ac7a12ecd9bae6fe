select pos from andon_aside where tenant = @tenant and tenant <> 'default' and queue = @queue and state = 'failed'
  order by at desc, pos desc limit 1 offset @most;

select count(*) as jobs from (select 1 from andon_aside where tenant = @tenant and tenant <> 'default' and queue = @queue and state = @state limit @most) found;

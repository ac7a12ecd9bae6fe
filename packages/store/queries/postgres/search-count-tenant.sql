select count(*) as jobs from (select 1 from andon_jobs where tenant = @tenant and tenant <> 'default' and queue = @queue limit @most) found;

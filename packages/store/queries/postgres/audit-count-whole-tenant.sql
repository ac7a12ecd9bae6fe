select count(*) as total from (
  select 1 from andon_audit where tenant = @tenant limit @most
) a;

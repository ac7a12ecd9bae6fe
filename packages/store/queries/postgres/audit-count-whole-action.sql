select count(*) as total from (
  select 1 from andon_audit where action = @action limit @most
) a;

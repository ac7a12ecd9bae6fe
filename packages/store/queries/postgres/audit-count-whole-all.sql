select count(*) as total from (
  select 1 from andon_audit limit @most
) a;

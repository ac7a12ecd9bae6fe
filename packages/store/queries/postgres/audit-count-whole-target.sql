select count(*) as total from (
  select 1 from andon_audit where target = @target limit @most
) a;

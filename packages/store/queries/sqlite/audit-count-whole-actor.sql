select count(*) as total from (
  select 1 from andon_audit where actor = @actor limit @most
) a;

select count(*) as total from (
  select 1 from andon_audit where cast(@target as text) is null or target = @target limit 10001
) a;

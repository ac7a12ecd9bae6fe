delete from andon_turns where id in (select unnest(@ids::bigint[])) and claimed = 0;

delete from andon_turns where id = any(@ids::bigint[]);

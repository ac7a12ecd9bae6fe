delete from andon_turns where queue = @queue and id = any(@ids::bigint[]);

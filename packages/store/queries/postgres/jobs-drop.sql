delete from andon_jobs where pos in (select unnest(@positions::bigint[])) and state = @state returning id;

delete from andon_tallies where id = any(@ids::bigint[]);

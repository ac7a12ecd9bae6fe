delete from andon_tallies where id in (select unnest(@ids::bigint[]));

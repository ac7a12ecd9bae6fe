select w.id from andon_workers w join pg_locks l on l.locktype = 'advisory' and l.objsubid = 2
  and l.classid::bigint = 5017265 and l.objid::bigint = (hashtext(w.id)::bigint & 4294967295)
  and l.database = (select oid from pg_database where datname = current_database());

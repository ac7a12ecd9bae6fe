delete from andon_running
where queue = ?4 and pos = ?1 and fence = ?2 and worker = ?3 and cancel_actor is null;

select share, count(*) as running from andon_running
where queue = ?1 and share is not null group by share;

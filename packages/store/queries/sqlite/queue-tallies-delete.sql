delete from andon_tallies where id in (select id from andon_tallies where queue = @queue limit @most);

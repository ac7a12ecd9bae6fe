select count(*) as stops from (select 1 from andon_stops where queue = @queue limit @most) s;

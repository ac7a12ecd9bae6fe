select count(*) as total from (select 1 from andon_lanes where queue = @queue and held_at is not null limit 10000) l;

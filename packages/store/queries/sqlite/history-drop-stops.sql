delete from andon_stops where id <= @last and at < @before and resumed_at is not null;

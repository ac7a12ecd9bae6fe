delete from andon_attempts where finished_at <= @last;

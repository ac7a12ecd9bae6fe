delete from andon_attempts where pos = @pos and outcome = @outcome;

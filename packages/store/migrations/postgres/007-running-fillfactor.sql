-- A job that goes on in its next stage keeps its claim's row, which is changed in place. Where pages have room for that, the primary key
-- gets no new entry: 99 of 100 changes stay inside their page, and without room 15 did. It holds for pages that are filled from now on.
alter table andon_running set (fillfactor = 50);

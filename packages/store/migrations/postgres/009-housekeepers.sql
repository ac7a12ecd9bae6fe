-- One process of a fleet keeps house. The same names and columns stand in ../sqlite/009-housekeepers.sql; a test compares the two.

-- role: who may keep house for whom, by the queues that the processes define. term rises with every change of hands; beat rises
-- while the holder is active.
create table andon_housekeepers (
  role text primary key,
  worker text not null,
  term bigint not null,
  beat bigint not null
);

-- A worker without anything at work does not beat. Workers of earlier versions always do.
alter table andon_workers add column at_work integer not null default 1;

-- Attempts go when they are old, and no other index leads to those.
create index andon_attempts_finished on andon_attempts (finished_at);

-- Old rows of the feed are deleted by their numbers: of the indexes that hold them, the one that begins with them is to be the youngest (008).
alter table andon_events drop constraint andon_events_pkey, add primary key (id);

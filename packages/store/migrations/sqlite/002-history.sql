-- Counts by the minute and by the hour. The same names and columns stand in ../postgres/002-history.sql; a test compares the two.
--
-- What is counted commits with the verb that it counts, as a row of andon_tallies; the merge of those rows adds it to
-- andon_history in the same transaction. So nothing is lost and nothing counts twice, whoever dies when.

-- at: when the verb ran. waits, runs: histograms that a worker measured, in rows of their own.
alter table andon_tallies add column at integer;
alter table andon_tallies add column added integer not null default 0;
alter table andon_tallies add column failures integer not null default 0;
alter table andon_tallies add column attempts_failed integer not null default 0;
alter table andon_tallies add column waits text;
alter table andon_tallies add column runs text;

-- step: 'm' a minute, 'h' an hour, 't' the total since the beginning (at 0). at: when the step began. waiting and running are
-- samples: what the counts were when they were last merged in this step.
create table andon_history (
  queue text not null,
  step text not null,
  at integer not null,
  added integer not null default 0,
  done integer not null default 0,
  failed integer not null default 0,
  attempts_failed integer not null default 0,
  waiting integer,
  running integer,
  waits text,
  runs text,
  primary key (queue, step, at)
);
create index andon_history_age on andon_history (step, at);

-- When processes ran: from the registration of a worker that kept house until it left. A sample holds until the next one,
-- but only while a process ran.
create table andon_history_runs (
  worker text primary key,
  from_at integer not null,
  until_at integer
);

-- Counts by the minute and by the hour. The same names and columns stand in ../sqlite/002-history.sql; a test compares the two.
--
-- What is counted commits with the verb that it counts, as a row of andon_tallies; the merge of those rows adds it to
-- andon_history in the same transaction. So nothing is lost and nothing counts twice, whoever dies when.

-- at: when the verb ran. waits, runs: histograms that a worker measured, in rows of their own.
alter table andon_tallies add column at bigint;
alter table andon_tallies add column added bigint not null default 0;
alter table andon_tallies add column failures bigint not null default 0;
alter table andon_tallies add column attempts_failed bigint not null default 0;
alter table andon_tallies add column waits text;
alter table andon_tallies add column runs text;

-- step: 'm' a minute, 'h' an hour, 't' the total since the beginning (at 0). at: when the step began. waiting and running are
-- samples: what the counts were when they were last merged in this step.
create table andon_history (
  queue text collate "C" not null,
  step text collate "C" not null,
  at bigint not null,
  added bigint not null default 0,
  done bigint not null default 0,
  failed bigint not null default 0,
  attempts_failed bigint not null default 0,
  waiting bigint,
  running bigint,
  waits text,
  runs text,
  primary key (queue, step, at)
) with (fillfactor = 70);
create index andon_history_age on andon_history (step, at);

-- When processes ran: from the registration of a worker that kept house until it left. A sample holds until the next one,
-- but only while a process ran.
create table andon_history_runs (
  worker text primary key,
  from_at bigint not null,
  until_at bigint
);

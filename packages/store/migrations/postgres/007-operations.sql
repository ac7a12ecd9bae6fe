-- Work over many jobs in steps. The same names and columns stand in ../sqlite/007-operations.sql; a test compares the two.

-- One decision over many jobs. beat grows while somebody is at it; driver is who.
create table andon_operations (
  id text primary key,
  queue text collate "C" not null,
  action text not null,
  actor text not null,
  reason text,
  tenant text,
  details text not null,
  list text not null,
  state text not null,
  created_at bigint not null,
  finished_at bigint,
  total bigint not null default 0,
  done bigint not null default 0,
  requested bigint not null default 0,
  left_out bigint not null default 0,
  left_out_jobs text not null,
  result text,
  next_step bigint not null default 0,
  next_item bigint not null default 0,
  driver text,
  beat bigint not null default 0
);
create index andon_operations_queue on andon_operations (queue, created_at, id);
create index andon_operations_created on andon_operations (created_at, id);
create index andon_operations_open on andon_operations (id) where finished_at is null;

-- The frozen list of an operation or of a plan, some hundred jobs per row. An item is a JSON array: the position, and in a
-- plan what the job was like.
create table andon_operation_steps (
  list text collate "C" not null,
  number bigint not null,
  items text not null,
  primary key (list, number)
);

-- The set of a plan is such a list.
insert into andon_operation_steps (list, number, items) select id, 0, targets from andon_plans;
alter table andon_plans add column count bigint not null default 0;
update andon_plans set count = json_array_length(targets::json);
alter table andon_plans drop column targets;

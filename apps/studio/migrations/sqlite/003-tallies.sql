-- How many tasks of a tenant stand in a phase and state: the sum of number. Each change of a task adds rows, and a process sums them up.
create table task_tally (
  id text primary key,
  tenant_id text not null,
  organization_id text,
  type text not null,
  state text not null,
  number integer not null
);
insert into task_tally (id, tenant_id, organization_id, type, state, number)
select lower(hex(randomblob(16))), t.tenant_id, t.organization_id, t.type, t.state, count(*)
from task t group by t.tenant_id, t.organization_id, t.type, t.state;

-- Lists in the order of their time, whatever they are narrowed to.
create index task_state_time on task (state, scheduled_time, task_id);
create index task_tenant_state_time on task (tenant_id, state, scheduled_time, task_id);
create index task_tenant_time on task (tenant_id, scheduled_time, task_id);
create index task_organization_tab on task (tenant_id, organization_id, state, type, scheduled_time, task_id) where organization_id is not null;
create index task_organization_state_time on task (tenant_id, organization_id, state, scheduled_time, task_id) where organization_id is not null;
create index task_organization_time on task (tenant_id, organization_id, scheduled_time, task_id) where organization_id is not null;

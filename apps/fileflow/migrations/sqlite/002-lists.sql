-- Lists among a million executions: every filter ends in the order of the list. created_at needs none, since ids begin with their time.
create index fileflow_executions_of_tenant on fileflow_executions (tenant_id, id);
create index fileflow_executions_of_organization on fileflow_executions (organization_id, id);
create index fileflow_executions_open_of_tenant on fileflow_executions (tenant_id, id) where ended_status is null;
create index fileflow_executions_on_their_way on fileflow_executions (id) where ended_status is null and stages_done > 0;
create index fileflow_executions_ended_of_tenant on fileflow_executions (tenant_id, ended_status, id) where ended_status is not null;
create index fileflow_executions_ended_of_both on fileflow_executions (tenant_id, organization_id, ended_status, id)
  where ended_status is not null;
create index fileflow_executions_ended_of_organization on fileflow_executions (organization_id, ended_status, id)
  where ended_status is not null;
create index fileflow_executions_failures on fileflow_executions (ended_status, completed_at) where ended_status in ('FAILED', 'TIMEOUT');
create index fileflow_executions_pipeline on fileflow_executions (pipeline_code, id) where pipeline_code <> 'default';
create index fileflow_executions_trigger on fileflow_executions (trigger_type, id) where trigger_type <> 'UPLOAD';
drop index fileflow_executions_file;
create index fileflow_executions_file on fileflow_executions (file_id, id);
create index fileflow_dlq_error on fileflow_dlq (error, id);
create index fileflow_dlq_source on fileflow_dlq (source, id);
create index fileflow_dlq_of_tenant on fileflow_dlq (tenant_id, id);
create index fileflow_dlq_state_of_tenant on fileflow_dlq (tenant_id, state, id);
create index fileflow_dlq_state_of_both on fileflow_dlq (tenant_id, organization_id, state, id);

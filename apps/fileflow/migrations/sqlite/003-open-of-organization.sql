-- Pending executions of an organisation, however many others wait: back-pressure holds back SQS alone, so a million may be open.
create index fileflow_executions_open_of_organization on fileflow_executions (organization_id, id) where ended_status is null;
create index fileflow_executions_open_of_both on fileflow_executions (tenant_id, organization_id, id) where ended_status is null;

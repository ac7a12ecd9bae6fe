-- How far imports of channels have come: one row per import of more than one batch, written with each batch.
create table broadcast_imports (
  id text primary key,
  tenant_id text not null,
  organization_id text,
  created_by text not null,
  state text not null,
  received integer not null,
  stored integer not null,
  created_at integer not null,
  updated_at integer not null
);
create index broadcast_imports_tenant on broadcast_imports (tenant_id, created_at);

create table addresses (
  id text primary key,
  tenant_id text not null,
  name text not null,
  email text not null,
  state text not null,
  unique (tenant_id, email)
);

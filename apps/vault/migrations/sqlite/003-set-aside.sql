-- Bytes that a repair took out of the way on the NAS: known to a comparison, and deleted when their time in the trash is over.
-- The same names and columns stand in ../postgres/003-set-aside.sql.
create table vault_set_aside (
  job_id text primary key,
  tenant_id text not null,
  path text not null,
  expires_at integer not null
);
create index vault_set_aside_expiry on vault_set_aside (expires_at, job_id);

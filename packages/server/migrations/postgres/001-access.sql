-- Who may call. The same names and columns stand in ../sqlite/001-access.sql. No secret is stored, only its SHA-256.

create table andon_keys (
  id text primary key not null,
  token_hash text not null unique,
  name text not null,
  permissions text not null,
  tenant_id text,
  organization_id text,
  created_at bigint not null,
  created_by text not null,
  expires_at bigint,
  revoked_at bigint,
  last_used_at bigint
);

-- key_id: the key that the session was made from, without which it is worth nothing.
create table andon_sessions (
  id text primary key not null,
  token_hash text not null unique,
  actor text not null,
  permissions text not null,
  tenant_id text,
  organization_id text,
  key_id text,
  created_at bigint not null,
  expires_at bigint not null
);
create index andon_sessions_expiry on andon_sessions (expires_at);

-- session_until: when the session that comes of it ends at the latest, where its maker's own access has an end.
create table andon_login_codes (
  id text primary key not null,
  code_hash text not null unique,
  actor text not null,
  key_id text,
  session_until bigint,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index andon_login_codes_expiry on andon_login_codes (expires_at);

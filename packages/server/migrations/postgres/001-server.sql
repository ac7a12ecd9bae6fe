-- Who may call. The same names and columns stand in ../sqlite/001-server.sql. No secret is stored, only its SHA-256.

create table server_keys (
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
create table server_sessions (
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
create index server_sessions_expiry on server_sessions (expires_at);

-- session_until: when the session that comes of it ends at the latest, where its maker's own access has an end.
create table server_login_codes (
  id text primary key not null,
  code_hash text not null unique,
  actor text not null,
  key_id text,
  session_until bigint,
  created_at bigint not null,
  expires_at bigint not null,
  used_at bigint
);
create index server_login_codes_expiry on server_login_codes (expires_at);

-- Alerts and what became of their messages.

-- occasion is the rule that fired, whatever its type is called here; subject tells episodes of one type and queue apart: a stop,
-- a job that holds its lanes, or '' where there is but one.
-- No sentence is stored: texts are made from occasion, type and details, in the language of who reads them. An alert about
-- failed jobs stands for all of one queue and cause: count is how many there were at most, unsettled how many there are.
-- sent_at and sent_count tell of the last message, so that a growing count is told seldom.
create table server_alerts (
  id text primary key,
  type text not null,
  occasion text not null,
  severity text not null,
  queue text collate "C" not null,
  subject text not null,
  details text not null,
  count bigint not null default 1,
  unsettled bigint not null default 1,
  fired_at bigint not null,
  changed_at bigint not null default 0,
  sent_at bigint not null default 0,
  sent_count bigint not null default 1,
  acknowledged_at bigint,
  acknowledged_by text,
  acknowledge_reason text,
  snoozed_at bigint,
  snoozed_by text,
  snoozed_until bigint,
  resolved_at bigint
);

-- However many processes see an episode, one of them fires.
create unique index server_alerts_open on server_alerts (queue, type, subject) where resolved_at is null;
create index server_alerts_episode on server_alerts (queue, subject);
create index server_alerts_fired on server_alerts (fired_at, id);
create index server_alerts_queue on server_alerts (queue, fired_at, id);
create index server_alerts_type on server_alerts (type, fired_at, id);
-- Alerts that fire: the critical ones first, the newest of each first.
create index server_alerts_critical_first on server_alerts (severity, fired_at desc, id desc) where resolved_at is null;
-- What the watcher looks at, by what it is about.
create index server_alerts_open_occasion on server_alerts (occasion, queue, id) where resolved_at is null;

-- One row per message. state is null while its job in the outbox tells it; how it ended is copied here, since that job
-- is purged one day.
create table server_alert_deliveries (
  job_id text primary key,
  alert_id text not null,
  channel text not null,
  status text not null,
  state text,
  attempts integer,
  last_error text
);
create index server_alert_deliveries_alert on server_alert_deliveries (alert_id);
create index server_alert_deliveries_open on server_alert_deliveries (job_id) where state is null;

-- Answers by Idempotency-Key: the same request again gets the first answer again.
create table server_answers (
  owner text not null,
  route text not null,
  idempotency_key text not null,
  fingerprint text not null,
  answer text,
  at bigint not null,
  primary key (owner, route, idempotency_key)
);
create index server_answers_at on server_answers (at);

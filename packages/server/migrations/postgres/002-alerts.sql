-- Alerts and what became of their messages. The same names and columns stand in ../sqlite/002-alerts.sql.

-- occasion is the rule that fired, whatever its type is called here; subject tells episodes of one type and queue apart: a stop,
-- a job that holds its lanes, or '' where there is but one.
create table andon_alerts (
  id text primary key,
  type text not null,
  occasion text not null,
  severity text not null,
  queue text collate "C" not null,
  subject text collate "C" not null,
  title text not null,
  message text not null,
  details text not null,
  fired_at bigint not null,
  resolved_at bigint
);

-- However many processes see an episode, one of them fires.
create unique index andon_alerts_open on andon_alerts (queue, type, subject) where resolved_at is null;
create index andon_alerts_episode on andon_alerts (queue, subject);
create index andon_alerts_fired on andon_alerts (fired_at, id);

-- One row per message. state is null while its job in the outbox tells it; how it ended is copied here, since that job
-- is purged one day.
create table andon_alert_deliveries (
  job_id text primary key,
  alert_id text not null,
  channel text not null,
  status text not null,
  state text,
  attempts integer,
  last_error text
);
create index andon_alert_deliveries_alert on andon_alert_deliveries (alert_id);
create index andon_alert_deliveries_open on andon_alert_deliveries (job_id) where state is null;

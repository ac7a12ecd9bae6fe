-- Alerts by what their list can be narrowed to, newest first. The same indexes stand in ../sqlite/004-alert-lists.sql.
create index andon_alerts_firing on andon_alerts (fired_at, id) where resolved_at is null;
create index andon_alerts_queue on andon_alerts (queue, fired_at, id);
create index andon_alerts_type on andon_alerts (type, fired_at, id);

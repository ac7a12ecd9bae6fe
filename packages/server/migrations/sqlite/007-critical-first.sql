-- Alerts that fire: the critical ones first, the newest of each first. The same index stands in ../postgres/007-critical-first.sql.
create index andon_alerts_critical_first on andon_alerts (severity, fired_at desc, id desc) where resolved_at is null;
drop index andon_alerts_firing;

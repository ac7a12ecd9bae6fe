-- Open alerts by what they are about: thousands of files may be held while the watcher looks for the few others. The same
-- index stands in ../sqlite/005-open-alerts.sql.
create index andon_alerts_open_occasion on andon_alerts (occasion, queue, id) where resolved_at is null;

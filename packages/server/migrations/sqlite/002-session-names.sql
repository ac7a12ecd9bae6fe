-- What the person behind a login is called beside its principal: told by the person, and no proof of anything.
alter table server_sessions add column name text;

-- A subject may be the id of a job, which is looked up by it: between two collations PostgreSQL cannot use the index, and read
-- every job. ../sqlite/006-subjects.sql has nothing to change.
alter table andon_alerts alter column subject type text collate "default";

-- Held files are found by the names of their lanes, which have another collation than the ids of files: without an index of that
-- collation every file was read. ../sqlite/005-files-of-lanes.sql has nothing to change.
create index files_of_lanes on files (id collate "C");

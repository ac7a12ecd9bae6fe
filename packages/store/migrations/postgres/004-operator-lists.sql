-- Lists and counts that do not feel the size of the store. The same names and columns stand in ../sqlite/004-operator-lists.sql;
-- a test compares the two.

-- How many lanes are held: known rather than counted.
alter table andon_tallies add column held bigint not null default 0;
insert into andon_tallies (queue, held, merged)
select queue, count(*), 1 from andon_lanes where held_at is not null group by queue;

-- Held lanes in the order of their list, also where one transaction held many at the same time.
drop index andon_lanes_held;
create index andon_lanes_held on andon_lanes (queue, held_at, lane_key) where held_at is not null;

-- What failed or ended otherwise of one tenant. Where there is only the default one, nobody pays for it.
alter table andon_aside add column tenant text;
update andon_aside set tenant = (select j.tenant from andon_jobs j where j.pos = andon_aside.pos);
create index andon_aside_tenant on andon_aside (tenant, queue, state, at, pos) where tenant <> 'default';

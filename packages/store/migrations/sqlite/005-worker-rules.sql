-- By which rules a worker works its queues, as far as the others must know: its leases, and whether it works them serially.
alter table andon_workers add column rules text not null default '{}';

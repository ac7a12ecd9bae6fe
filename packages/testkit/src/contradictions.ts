import { JOB_STATES } from "@andon/contract";
import type { Andon, Tx } from "@andon/engine";

const COUNTED = JOB_STATES.map(
  (state) =>
    `select queue, '${state}' as state, sum(${state}) as counted, 0 as found from andon_tallies group by queue`,
);

/**
 * Queries for contradictions between tables; each must return no row. Every statement is one snapshot, so they may run
 * while workers work.
 */
const FINDINGS = {
  "counts that a recount does not confirm": `
    select queue, state, sum(counted) as counted, sum(found) as found from (
      ${COUNTED.join(" union all ")}
      union all select queue, 'done', -sum(purged), 0 from andon_tallies group by queue
      union all select queue, job_state, 0, count(*) from andon_job_states group by queue, job_state
    ) sums group by queue, state having sum(counted) <> sum(found)`,
  "history whose hours do not add up to its total": `
    select queue, sum(hours) as hours, sum(total) as total from (
      select queue, case when step = 'h' then added + done + failed + attempts_failed else 0 end as hours,
        case when step = 't' then added + done + failed + attempts_failed else 0 end as total from andon_history
    ) sums group by queue having sum(hours) > sum(total)`,
  "jobs done that the history does not tell of": `
    select queue, sum(told) as told, sum(found) as found from (
      select queue, done as told, 0 as found from andon_history where step = 't'
      union all select queue, case when merged = 0 then done else 0 end, done from andon_tallies
    ) sums group by queue having sum(told) <> sum(found)`,
  "held lanes that a recount does not confirm": `
    select queue, sum(counted) as counted, sum(found) as found from (
      select queue, sum(held) as counted, 0 as found from andon_tallies group by queue
      union all select queue, 0, count(*) from andon_lanes where held_at is not null group by queue
    ) sums group by queue having sum(counted) <> sum(found)`,
  "ended jobs under another tenant's name": `
    select j.id, j.tenant, a.tenant as ended from andon_ended a join andon_jobs j on j.pos = a.pos
    where a.tenant is null or a.tenant <> j.tenant`,
  "open jobs that are in no place, or in two": `
    select s.id, s.job_state from andon_job_states s where
      (select count(*) from andon_ready x where x.queue = s.queue and x.rank = s.rank and x.pos = s.pos)
      + (select count(*) from andon_running x where x.queue = s.queue and x.pos = s.pos)
      + (select count(*) from andon_timers x where x.pos = s.pos)
      <> case when s.state = 'parked' or (s.state = 'open' and s.job_state <> 'blocked') then 1 else 0 end`,
  "parked jobs that wait for nothing, and others that wait for something": `
    select s.id, s.state, s.awaits from andon_jobs s where (s.state = 'parked') <> (s.awaits is not null)`,
  "stages of waiting or running jobs that their places do not tell": `
    select j.id, j.stage from andon_jobs j where exists (
      select 1 from andon_ready x where x.queue = j.queue and x.rank = j.rank and x.pos = j.pos and coalesce(x.stage, '') <> coalesce(j.stage, '')
    ) or exists (
      select 1 from andon_running x where x.queue = j.queue and x.pos = j.pos and coalesce(x.stage, '') <> coalesce(j.stage, '')
    )`,
  "history of stages that no job has": `
    select s.pos, s.name from andon_stages s where not exists (select 1 from andon_jobs j where j.pos = s.pos)`,
  "ended jobs that are not in andon_ended": `
    select s.id, s.state from andon_jobs s
    where (s.state in ('open', 'done')) = exists (select 1 from andon_ended a where a.pos = s.pos and a.state = s.state)`,
  "lanes whose depth is wrong": `
    select l.queue, l.lane_key, l.depth from andon_lanes l
    where l.depth <> (select count(*) from andon_lane_jobs m where m.queue = l.queue and m.lane_key = l.lane_key)`,
  "lanes that have lost more places than they gave away": `
    select queue, lane_key, next_seq, gone, depth from andon_lanes where lane_key <> '' and gone + depth > next_seq`,
  "places in lanes that are not there": `
    select m.queue, m.lane_key, m.pos from andon_lane_jobs m
    where not exists (select 1 from andon_lanes l where l.queue = m.queue and l.lane_key = m.lane_key)`,
  "lanes that let somebody else than their first through": `
    select * from (
      select l.queue, l.lane_key, l.head_seq, l.held_kind, coalesce((
        select min(m.seq) from andon_lane_jobs m where m.queue = l.queue and m.lane_key = l.lane_key
      ), 0) as first_seq from andon_lanes l
    ) heads where head_seq <> first_seq and not (head_seq = 0 and held_kind = 'hand')`,
  "jobs that wait for another number of lanes than they should": `
    select s.id, s.job_state, s.waits from andon_job_states s where s.state = 'open' and s.waits <> (
      select count(*) from andon_lane_jobs m join andon_lanes l on l.queue = m.queue and l.lane_key = m.lane_key
      where m.pos = s.pos and m.seq <> l.head_seq and m.lanes > 1
    )`,
  "jobs that are blocked though all their lanes let them through, or the other way round": `
    select s.id, s.job_state from andon_job_states s where s.state = 'open' and (s.job_state = 'blocked') <> exists (
      select 1 from andon_lane_jobs m join andon_lanes l on l.queue = m.queue and l.lane_key = m.lane_key
      where m.pos = s.pos and m.seq <> l.head_seq
    )`,
  "lanes with two jobs at work": `
    select m.queue, m.lane_key from andon_lane_jobs m join andon_running r on r.pos = m.pos
    group by m.queue, m.lane_key having count(*) > 1`,
  "failed jobs whose lane is held by no one": `
    select m.lane_key, j.id from andon_lane_jobs m
    join andon_jobs j on j.pos = m.pos and j.state = 'failed'
    join andon_lanes l on l.queue = m.queue and l.lane_key = m.lane_key
    where l.held_kind is null`,
  "queues whose probe does not fit their state": `
    select name, state, probe_job_id, degraded_at from andon_queues
    where (state = 'degraded') <> (probe_job_id is not null) or (state = 'degraded') <> (degraded_at is not null)`,
} as const;

/** A proof that runs for hours leaves millions of rows. */
const LONGEST_LOOK_MS = 600_000;

/** The contradictions between tables; empty if there are none. */
export async function findContradictions(andon: Andon): Promise<Record<string, unknown[]>> {
  const findings: Record<string, unknown[]> = {};
  const look = async (tx: Tx) => {
    for (const [what, sql] of Object.entries(FINDINGS)) {
      const found = await tx.query(sql);
      if (found.length > 0) findings[what] = found;
    }
  };
  await andon.store.transaction("look", look, LONGEST_LOOK_MS);
  const { broken } = await andon.verifyAudit();
  if (broken) findings["a broken chain of the audit log"] = [broken];
  return findings;
}

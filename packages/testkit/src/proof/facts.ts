import { isDeepStrictEqual } from "node:util";
import type { Stage } from "./stage.ts";

/** Everything in the store that a decision may change. */
export interface Facts {
  readonly state: Record<string, unknown[]>;
  readonly audit: Record<string, number>;
  readonly events: Record<string, number>;
}

const STATE = {
  jobs: "select id, job_state from andon_job_states order by pos",
  queues: "select name, state, epoch, stop_id from andon_queues order by name",
  lanes: "select lane_key, held_kind from andon_lanes order by lane_key",
  schedules: "select name, cron, is_active from andon_schedules order by name",
  throttles: "select pos, pause_ms from andon_bulk order by pos",
  rows: "select job_id from andon_test_effects order by job_id",
};

export async function factsOf({ site }: Stage): Promise<Facts> {
  const state: Record<string, unknown[]> = {};
  for (const [name, sql] of Object.entries(STATE)) state[name] = await site.query(sql);
  const counted = async (sql: string) => {
    const rows = await site.query<{ name: string; count: number }>(sql);
    return Object.fromEntries(rows.map(({ name, count }) => [name, Number(count)]));
  };
  return {
    state,
    audit: await counted("select action as name, count(*) as count from andon_audit group by action"),
    // `jobs.done` events sum up completions at any later time.
    events: await counted(
      "select type as name, count(*) as count from andon_events where type <> 'jobs.done' group by type",
    ),
  };
}

/** The rows that a decision writes beside the state it changes: how many in the audit log and in the feed. */
export interface Records {
  readonly audit: Readonly<Record<string, number>>;
  readonly events: Readonly<Record<string, number>>;
}

/** A decision must be stored with all its records, or not at all. */
export function judgeDecision(before: Facts, after: Facts, isMade: boolean, records: Records): string[] {
  const changed = !isDeepStrictEqual(before.state, after.state);
  const wanted = isMade ? records : { audit: {}, events: {} };
  const findings: string[] = [];
  if (changed !== isMade)
    findings.push(isMade ? "committed, and nothing changed" : "not committed, and the state changed");
  for (const kind of ["audit", "events"] as const) {
    const written = difference(before[kind], after[kind]);
    if (!isDeepStrictEqual(written, { ...wanted[kind] }))
      findings.push(`${kind}: ${JSON.stringify(written)} instead of ${JSON.stringify(wanted[kind])}`);
  }
  return findings;
}

function difference(before: Record<string, number>, after: Record<string, number>): Record<string, number> {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return Object.fromEntries(
    names
      .map((name) => [name, (after[name] ?? 0) - (before[name] ?? 0)] as const)
      .filter(([, count]) => count !== 0),
  );
}

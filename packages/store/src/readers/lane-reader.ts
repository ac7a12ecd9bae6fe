import type { JobState, Lane, Page } from "@andon/contract";
import {
  DEFAULT_TENANT,
  type LaneId,
  type LaneRow,
  laneId,
  laneOf,
  lanesOfTenant,
  TENANT_MARK,
} from "@andon/engine";
import { LANE_COLUMNS, type RawLane } from "../steps/lane-steps.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";
import { MOST_COUNTED, totalOf } from "./bounds.ts";
import { tallies } from "./count-reader.ts";
import { countUnlessReached } from "./reached-bounds.ts";

/** Excludes the lane with the empty name, from which a serial queue draws its numbers. */
const ALL_LANES = { from: TENANT_MARK, to: lanesOfTenant(DEFAULT_TENANT).to };

const lanesOfJob = shared(
  "lanes-of-job",
  (d) => `select l.*,
  (select count(*) from (
    select 1 from andon_lane_jobs a where a.queue = l.queue and a.lane_key = l.lane_key and a.seq < l.seq limit 1000
  ) ahead) as ahead,
  (select b.pos from andon_lane_jobs b where b.queue = l.queue and b.lane_key = l.lane_key order by b.seq limit 1) as head_pos
from (
  select ${LANE_COLUMNS},
    (select m.seq from andon_lane_jobs m where m.pos = @pos and m.lane_key || '' = l.lane_key) as seq
  from andon_lanes l
  where l.queue = (select queue from andon_jobs where pos = @pos)
    and l.lane_key ${d.amongRows("select lane_key from andon_lane_jobs where pos = @pos")}
) l
order by l.lane_key || ''`,
);
const stateOf = shared("job-state-of", () => "select id, job_state from andon_job_states where pos = @pos");
const heldLanes = shared(
  "lanes-held",
  () => `select ${LANE_COLUMNS} from andon_lanes l where queue = @queue and held_at is not null
  and (lane_key || '') >= @from and (lane_key || '') < @to
order by held_at, lane_key limit @limit offset @offset`,
);
const openLanes = shared(
  "lanes-page",
  () =>
    `select ${LANE_COLUMNS} from andon_lanes l where queue = @queue and lane_key >= @from and lane_key < @to order by lane_key limit @limit offset @offset`,
);
const countAll = shared(
  "lanes-count",
  () => `select count(*) as lanes from (
  select 1 from andon_lanes where queue = @queue and lane_key >= @from and lane_key < @to limit @most
) l`,
);
const countHeld = shared(
  "lanes-held-count",
  () => `select count(*) as lanes from (
  select 1 from andon_lanes where queue = @queue and held_at is not null
    and (lane_key || '') >= @from and (lane_key || '') < @to limit @most
) l`,
);
const one = shared(
  "lane-read",
  () => `select ${LANE_COLUMNS} from andon_lanes l where queue = @queue and lane_key = @key`,
);
/** The first lane of the next tenant: one index probe per tenant of a queue, however many lanes it has. */
const nextLane = shared(
  "lanes-next",
  () => `select lane_key from andon_lanes where queue = @queue and lane_key > @after and lane_key < @to
order by lane_key limit 1`,
);
const heldByFailure = shared(
  "lanes-held-by-failure",
  (d) => `select ${LANE_COLUMNS} from andon_lanes l
where queue = @queue and lane_key ${d.among("keys", "text")} and held_kind = 'failure'`,
);
export function laneRow(raw: RawLane): LaneRow {
  const held =
    raw.held_at === null
      ? null
      : {
          at: raw.held_at,
          kind: raw.held_kind ?? "hand",
          by: raw.held_by ?? "",
          reason: raw.held_reason,
          jobId: raw.held_job_id,
        };
  return { id: raw.lane_key, queue: raw.queue, ...laneOf(raw.lane_key), depth: raw.depth, held };
}

/** The same without internal members, for readers. */
export function shownLane(raw: RawLane): Lane {
  const { id: _id, ...shown } = laneRow(raw);
  return shown;
}

export async function lanesOf(at: StepContext, pos: number) {
  const rows = await at.session.all<RawLane & { seq: number; ahead: number; head_pos: number }>(
    lanesOfJob(at.dialect),
    { pos },
  );
  return Promise.all(
    rows.map(async (raw) => {
      const [head] =
        raw.head_pos === pos
          ? []
          : await at.session.all<{ id: string; job_state: JobState }>(stateOf(at.dialect), {
              pos: raw.head_pos,
            });
      return {
        ...shownLane(raw),
        seq: raw.seq,
        ahead: raw.ahead,
        headJobId: head?.id ?? null,
        headState: head?.job_state ?? null,
      };
    }),
  );
}

export async function lanes(
  at: StepContext,
  filter: { queue: string; held?: boolean; tenant?: string | undefined },
  page: number,
  limit: number,
): Promise<Page<Lane>> {
  const { queue, tenant } = filter;
  const range = tenant === undefined ? ALL_LANES : lanesOfTenant(tenant);
  const whose = { queue, ...range };
  const offset = (page - 1) * limit;
  const statement = (filter.held ? heldLanes : openLanes)(at.dialect);
  const [total, rows] = await Promise.all([
    filter.held ? heldTotal(at, whose, tenant) : laneTotal(at, whose, tenant),
    offset < MOST_COUNTED ? at.session.all<RawLane>(statement, { ...whose, limit, offset }) : [],
  ]);
  return { ...total, page, limit, items: rows.map(shownLane) };
}

type LaneRange = { queue: string; from: string; to: string };

async function heldTotal(at: StepContext, whose: LaneRange, tenant: string | undefined) {
  if (tenant === undefined) return { total: (await tallies(at, whose.queue)).held };
  return totalOf(await countIn(at, countHeld, whose));
}

async function laneTotal(at: StepContext, whose: LaneRange, tenant: string | undefined) {
  const name = JSON.stringify(["lanes", whose.queue, tenant ?? null]);
  return totalOf(await countUnlessReached(at.session, name, () => countIn(at, countAll, whose)));
}

async function countIn(at: StepContext, statement: typeof countAll, whose: LaneRange): Promise<number> {
  const values = { ...whose, most: MOST_COUNTED + 1 };
  const [found] = await at.session.all<{ lanes: number }>(statement(at.dialect), values);
  return found?.lanes ?? 0;
}

export async function oneLane(at: StepContext, queue: string, id: LaneId): Promise<Lane | undefined> {
  const [raw] = await at.session.all<RawLane>(one(at.dialect), { queue, key: id });
  return raw && shownLane(raw);
}

/** The lanes of a key: of one tenant, or of every tenant that has lanes in the queue, at most `most`. */
export async function lanesWithKey(
  at: StepContext,
  queue: string,
  key: string,
  tenant: string | undefined,
  most = Number.POSITIVE_INFINITY,
): Promise<LaneId[]> {
  if (tenant !== undefined) return [laneId(tenant, key)];
  const lanes = [laneId(DEFAULT_TENANT, key)];
  const { from: to } = lanesOfTenant(DEFAULT_TENANT);
  for (let after = TENANT_MARK; lanes.length < most; ) {
    const [next] = await at.session.all<{ lane_key: LaneId }>(nextLane(at.dialect), { queue, after, to });
    if (!next) break;
    const found = laneOf(next.lane_key).tenant;
    lanes.push(laneId(found, key));
    after = lanesOfTenant(found).to;
  }
  return lanes;
}

export async function lanesHeldByFailure(
  at: StepContext,
  queue: string,
  lanes: readonly LaneId[],
): Promise<LaneRow[]> {
  if (lanes.length === 0) return [];
  const values = { queue, keys: at.dialect.array(lanes) };
  return (await at.session.all<RawLane>(heldByFailure(at.dialect), values)).map(laneRow);
}

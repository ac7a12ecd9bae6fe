import type { JobState, Lane, Page } from "@andon/contract";
import { type StepContext, shared } from "../steps/kit.ts";
import { LANE_COLUMNS, type RawLane } from "../steps/lane-steps.ts";
import { MOST_COUNTED, totalOf } from "./bounds.ts";
import { tallies } from "./count-reader.ts";
import { countUnlessReached } from "./reached-bounds.ts";

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
order by held_at, lane_key limit @limit offset @offset`,
);
const openLanes = shared(
  "lanes-page",
  () =>
    `select ${LANE_COLUMNS} from andon_lanes l where queue = @queue and lane_key <> '' order by lane_key limit @limit offset @offset`,
);
const countAll = shared(
  "lanes-count",
  () =>
    "select count(*) as lanes from (select 1 from andon_lanes where queue = @queue and lane_key <> '' limit @most) l",
);
const heldByFailure = shared(
  "lanes-held-by-failure",
  (d) => `select ${LANE_COLUMNS} from andon_lanes l
where queue = @queue and lane_key ${d.among("keys", "text")} and held_kind = 'failure'`,
);
export function lane(raw: RawLane): Lane {
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
  return { queue: raw.queue, key: raw.lane_key, depth: raw.depth, held };
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
        ...lane(raw),
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
  filter: { queue: string; held?: boolean },
  page: number,
  limit: number,
): Promise<Page<Lane>> {
  const { queue } = filter;
  const offset = (page - 1) * limit;
  const statement = (filter.held ? heldLanes : openLanes)(at.dialect);
  const [total, rows] = await Promise.all([
    filter.held ? heldTotal(at, queue) : laneTotal(at, queue),
    offset < MOST_COUNTED ? at.session.all<RawLane>(statement, { queue, limit, offset }) : [],
  ]);
  return { ...total, page, limit, items: rows.map(lane) };
}

async function heldTotal(at: StepContext, queue: string) {
  return { total: (await tallies(at, queue)).held };
}

async function laneTotal(at: StepContext, queue: string) {
  const most = MOST_COUNTED + 1;
  const count = async () => {
    const [found] = await at.session.all<{ lanes: number }>(countAll(at.dialect), { queue, most });
    return found?.lanes ?? 0;
  };
  return totalOf(await countUnlessReached(at.session, `lanes of ${queue}`, count));
}

export async function lanesHeldByFailure(
  at: StepContext,
  queue: string,
  keys: readonly string[],
): Promise<Lane[]> {
  if (keys.length === 0) return [];
  const values = { queue, keys: at.dialect.array(keys) };
  return (await at.session.all<RawLane>(heldByFailure(at.dialect), values)).map(lane);
}

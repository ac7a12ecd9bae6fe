import { type LaneId, type LineJob, lanesOf } from "@andon/engine";
import type { Session } from "../dialect.ts";
import { codeOf } from "../postgres/faults.ts";
import { compile } from "../statement.ts";

/*
 * Jobs that are already stored join their lanes: they draw places as in the keyed enqueue, in one statement for all.
 * Values of a job are looked up in a JSON object by its number (finish-and-claim.postgres.ts gives the reason).
 */
const joinLanes = compile(
  `with lane_input as materialized (
  select t.*,
    row_number() over (partition by t.lane_key order by t.idx) as nth,
    count(*) over (partition by t.lane_key) as total
  from unnest(@positions::bigint[], @keys::text[], @firsts::int[], @lanes::int[], @lefts::int[]) with ordinality
    as t(pos, lane_key, is_first, lanes, has_left, idx)
),
laned as (
  insert into andon_lanes as l (queue, lane_key, next_seq, head_seq, depth, gone)
  select @queue, lane_key, count(*), 1, count(*), sum(has_left) from lane_input group by lane_key order by lane_key collate "C"
  on conflict (queue, lane_key) do update set
    next_seq = l.next_seq + excluded.next_seq,
    depth = l.depth + excluded.depth,
    gone = l.gone + excluded.gone,
    head_seq = case when l.head_seq = 0 and l.held_at is null then l.next_seq + 1 else l.head_seq end
  returning l.lane_key, l.next_seq, l.head_seq
),
placed as materialized (
  select i.pos, i.lane_key, i.is_first, i.lanes, d.next_seq - i.total + i.nth as seq, d.head_seq
  from lane_input i join laned d on d.lane_key = i.lane_key
),
joined as (
  insert into andon_lane_jobs (queue, lane_key, seq, pos, lanes) select @queue, lane_key, seq, pos, lanes from placed
),
waiting as materialized (
  select pos, count(*) filter (where seq <> head_seq and lanes > 1) as waits, max(seq) filter (where is_first = 1) as seq
  from placed group by pos
)
update andon_jobs j
set waits = ((select jsonb_object_agg(pos, waits) from waiting) ->> j.pos::text)::int,
  seq = ((select jsonb_object_agg(pos, seq) from waiting) ->> j.pos::text)::bigint
where j.pos = any(array(select pos from waiting))`,
  "$",
);

/** `|| ''` keeps PostgreSQL from scanning the index in this order, through all lanes of the queue. */
const lockFree = compile(
  `select lane_key from andon_lanes where queue = @queue and lane_key = any(@keys::text[])
order by lane_key || '' for update skip locked`,
  "$",
);
const existing = compile(
  "select lane_key from andon_lanes where queue = @queue and lane_key = any(@keys::text[])",
  "$",
);
const make = compile(
  `insert into andon_lanes (queue, lane_key)
select @queue, k.lane_key from unnest(@keys::text[]) as k(lane_key) order by k.lane_key collate "C"
on conflict do nothing returning lane_key`,
  "$",
);
const readLockTimeout = compile("select current_setting('lock_timeout') as timeout", "$");
const setLockTimeout = compile("select set_config('lock_timeout', @timeout, true)", "$");
const savepoint = compile("savepoint andon_lanes", "$");
const release = compile("release savepoint andon_lanes", "$");
const rollback = compile("rollback to savepoint andon_lanes", "$");

export const joinLanesStatements = {
  joinLanes,
  lockFreeLanes: lockFree,
  existingLanes: existing,
  makeLanes: make,
};

export async function joinLanesPostgres(
  session: Session,
  queue: string,
  jobs: readonly LineJob[],
): Promise<void> {
  const places = jobs.flatMap((job) =>
    lanesOf(job).map((key, index, { length }) => ({
      pos: job.pos,
      key,
      isFirst: index === 0,
      lanes: length,
      hasLeft: job.seq !== null,
    })),
  );
  await session.run(joinLanes, {
    queue,
    positions: places.map((place) => place.pos),
    keys: places.map((place) => place.key),
    firsts: places.map((place) => Number(place.isFirst)),
    lanes: places.map((place) => place.lanes),
    lefts: places.map((place) => Number(place.hasLeft)),
  });
}

type KeyRow = { lane_key: LaneId };

/** A lane that exists but cannot be locked belongs to another transaction for now; a missing one is created. */
export async function tryLanesPostgres(
  session: Session,
  queue: string,
  keys: readonly LaneId[],
): Promise<LaneId[]> {
  const locked = (await session.all<KeyRow>(lockFree, { queue, keys })).map((row) => row.lane_key);
  if (locked.length === keys.length) return locked;
  const known = new Set(locked);
  const rest = keys.filter((key) => !known.has(key));
  for (const { lane_key: key } of await session.all<KeyRow>(existing, { queue, keys: rest })) known.add(key);
  const missing = rest.filter((key) => !known.has(key));
  if (missing.length === 0) return locked;
  const [before] = await session.all<{ timeout: string }>(readLockTimeout, {});
  await session.all(setLockTimeout, { timeout: `${SHORTEST_WAIT_MS}ms` });
  const made = await makeLanes(session, queue, missing, { waits: MOST_WAITS });
  await session.all(setLockTimeout, before ?? { timeout: "0" });
  return [...locked, ...made];
}

const LOCK_NOT_AVAILABLE = "55P03";
/**
 * A lane that another transaction is creating is invisible, and inserting it waits for the commit: such lanes are found
 * by bisection.
 */
const SHORTEST_WAIT_MS = 5;
const MOST_WAITS = 10;

async function makeLanes(
  session: Session,
  queue: string,
  keys: readonly LaneId[],
  left: { waits: number },
): Promise<LaneId[]> {
  if (left.waits === 0) return [];
  await session.run(savepoint, {});
  try {
    const made = await session.all<KeyRow>(make, { queue, keys });
    await session.run(release, {});
    return made.map((row) => row.lane_key);
  } catch (error) {
    if (codeOf(error) !== LOCK_NOT_AVAILABLE) throw error;
    await session.run(rollback, {});
    await session.run(release, {});
    left.waits--;
    if (keys.length === 1) return [];
    const half = Math.ceil(keys.length / 2);
    const first = await makeLanes(session, queue, keys.slice(0, half), left);
    return [...first, ...(await makeLanes(session, queue, keys.slice(half), left))];
  }
}

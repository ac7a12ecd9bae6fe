import type { BulkBoundary, BulkPresets, ChunkFacts, StoredAbortWish } from "@andon/engine";
import { type RawWish, wishIn, wishOf } from "./bulk-wish.ts";
import { holdClaim } from "./running-steps.ts";
import { type StepContext, shared } from "./statement-registry.ts";

const BULK_COLUMNS = `pos, processed, total, started_at, resumed_at, pause_ms, max_per_second, queue_max_per_second, rate, chunk_ms,
  chunk_at, slow_ms, slow_limit_ms`;
const RETURNED = `${BULK_COLUMNS}, ${wishOf("andon_bulk.pos")}`;

const begin = shared(
  "bulk-begin",
  () => `insert into andon_bulk (pos, pause_ms, max_per_second, queue_max_per_second)
select r.pos, cast(@pauseMs as bigint), cast(@maxPerSecond as double precision), cast(@queueMaxPerSecond as double precision)
from andon_running r where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos and r.fence = @fence
on conflict (pos) do update set pause_ms = coalesce(andon_bulk.pause_ms, excluded.pause_ms),
  max_per_second = coalesce(andon_bulk.max_per_second, excluded.max_per_second),
  queue_max_per_second = excluded.queue_max_per_second, rate = null, slow_ms = null
returning ${RETURNED}`,
);
const start = shared(
  "bulk-start",
  () => "update andon_bulk set total = @total, started_at = @now where pos = @pos and started_at is null",
);
/** A cursor that moves shows progress, so attempts and losses are counted from zero again. */
const moveCursor = shared(
  "bulk-cursor",
  () => "update andon_jobs set cursor = @cursor, attempts = 0, stalled = 0 where pos = @pos",
);
const chunk = shared(
  "bulk-chunk",
  () => `update andon_bulk set processed = processed + @count, rate = @rate, chunk_ms = @chunkMs, chunk_at = @now,
  slow_ms = @slowMs, slow_limit_ms = @slowLimitMs
where pos = @pos returning ${RETURNED}`,
);
const one = shared("bulk-one", () => `select ${RETURNED} from andon_bulk where pos = @pos`);
const many = shared(
  "bulk-many",
  (d) => `select ${RETURNED} from andon_bulk where pos ${d.among("positions", "bigint")}`,
);
const throttle = shared(
  "bulk-throttle",
  () => `insert into andon_bulk (pos, pause_ms, max_per_second)
values (@pos, cast(@pauseMs as bigint), cast(@maxPerSecond as double precision))
on conflict (pos) do update set pause_ms = coalesce(excluded.pause_ms, andon_bulk.pause_ms),
  max_per_second = coalesce(excluded.max_per_second, andon_bulk.max_per_second)
returning ${RETURNED}`,
);
/** Also for a job that was aborted before it started: a flag from before its resume must not stop it. */
const resumed = shared(
  "bulk-resumed",
  () => `insert into andon_bulk (pos, resumed_at) values (@pos, @now)
on conflict (pos) do update set resumed_at = excluded.resumed_at`,
);
const reserve = shared(
  "bulk-reserve",
  () => `insert into andon_bulk_rates (queue, paid_until) values (@queue, cast(@now as bigint) + cast(@ms as bigint))
on conflict (queue) do update set paid_until = @ms + case
  when andon_bulk_rates.paid_until < @now - @credit then @now - @credit
  when andon_bulk_rates.paid_until > @now + @most then @now
  else andon_bulk_rates.paid_until
end
returning paid_until`,
);
/** Does not lock an existing row. */
const wish = shared(
  "abort-wish-add",
  () => `insert into andon_abort_wishes (pos, actor, reason, requested_at, noun)
values (@pos, @by, @reason, @requestedAt, @noun) on conflict (pos) do nothing returning pos`,
);
const wishes = shared(
  "abort-wishes",
  (
    d,
  ) => `select pos, actor as wish_actor, reason as wish_reason, requested_at as wish_requested_at, noun as wish_noun
from andon_abort_wishes where pos ${d.among("positions", "bigint")}`,
);
export const dropBulk = shared(
  "bulk-drop",
  (d) => `delete from andon_bulk where pos ${d.among("positions", "bigint")}`,
);
export const dropWishes = shared(
  "abort-wishes-drop",
  (d) => `delete from andon_abort_wishes where pos ${d.among("positions", "bigint")}`,
);

interface RawBulk extends RawWish {
  pos: number;
  processed: number;
  total: number | null;
  started_at: number | null;
  resumed_at: number | null;
  pause_ms: number | null;
  max_per_second: number | null;
  queue_max_per_second: number | null;
  rate: number | null;
  chunk_ms: number | null;
  chunk_at: number | null;
  slow_ms: number | null;
  slow_limit_ms: number | null;
}

export async function beginBulk(
  at: StepContext,
  pos: number,
  fence: number,
  presets: BulkPresets,
): Promise<BulkBoundary | undefined> {
  return boundary(await at.session.all<RawBulk>(begin(at.dialect), { pos, fence, ...presets }));
}

export async function startBulk(
  at: StepContext,
  pos: number,
  fence: number,
  total: number | null,
): Promise<boolean> {
  const held = await at.session.all(holdClaim(at.dialect), { pos, fence });
  if (held.length === 0) return false;
  await at.session.run(start(at.dialect), { pos, total, now: at.now });
  return true;
}

/** The claim is locked first, so that a sweep cannot take it back between the check and the commit. */
export async function saveChunk(
  at: StepContext,
  pos: number,
  fence: number,
  { cursor, ...facts }: ChunkFacts,
): Promise<BulkBoundary | undefined> {
  const held = await at.session.all(holdClaim(at.dialect), { pos, fence });
  if (held.length === 0) return undefined;
  // They run one after the other in the database; on PostgreSQL both are sent together.
  const [, rows] = await Promise.all([
    at.session.run(moveCursor(at.dialect), { pos, cursor }),
    at.session.all<RawBulk>(chunk(at.dialect), { pos, now: at.now, ...facts }),
  ]);
  return boundary(rows);
}

export async function readBulk(at: StepContext, pos: number): Promise<BulkBoundary | undefined> {
  return boundary(await at.session.all<RawBulk>(one(at.dialect), { pos }));
}

export async function readBulks(
  at: StepContext,
  positions: readonly number[],
): Promise<ReadonlyMap<number, BulkBoundary>> {
  if (positions.length === 0) return new Map();
  const values = { positions: at.dialect.array(positions) };
  const asked = await at.session.all<RawWish & { pos: number }>(wishes(at.dialect), values);
  const known = await at.session.all<RawBulk>(many(at.dialect), values);
  const unstarted = asked.map((raw) => ({ ...UNSTARTED, pos: raw.pos, wish: wishIn(raw) }));
  return new Map([...unstarted, ...known.map(bulkBoundary)].map((row) => [row.pos, row]));
}

export async function saveThrottle(
  at: StepContext,
  pos: number,
  given: { pauseMs: number | null; maxPerSecond: number | null },
): Promise<BulkBoundary> {
  return boundary(await at.session.all<RawBulk>(throttle(at.dialect), { pos, ...given })) as BulkBoundary;
}

export async function wishAbort(
  at: StepContext,
  pos: number,
  given: StoredAbortWish,
): Promise<{ wish: StoredAbortWish; isFirst: boolean }> {
  const added = await at.session.all(wish(at.dialect), { pos, ...given });
  if (added.length > 0) return { wish: given, isFirst: true };
  const [raw] = await at.session.all<RawWish>(wishes(at.dialect), { positions: at.dialect.array([pos]) });
  return { wish: (raw && wishIn(raw)) ?? given, isFirst: false };
}

export async function dropAbortWishes(at: StepContext, positions: readonly number[]): Promise<void> {
  await at.session.run(dropWishes(at.dialect), { positions: at.dialect.array(positions) });
}

export async function markResumed(at: StepContext, pos: number): Promise<void> {
  await at.session.run(resumed(at.dialect), { pos, now: at.now });
}

export async function reserveBulk(
  at: StepContext,
  queue: string,
  { ms, credit, most }: { ms: number; credit: number; most: number },
): Promise<number> {
  const values = { queue, now: at.now, ms: Math.ceil(ms), credit, most };
  const [row] = await at.session.all<{ paid_until: number }>(reserve(at.dialect), values);
  return row?.paid_until ?? at.now;
}

const UNSTARTED: Omit<BulkBoundary, "pos" | "wish"> = {
  processed: 0,
  total: null,
  startedAt: null,
  resumedAt: null,
  pauseMs: null,
  maxPerSecond: null,
  queueMaxPerSecond: null,
  rate: null,
  chunkMs: null,
  chunkAt: null,
  slowMs: null,
  slowLimitMs: null,
};

function boundary([raw]: RawBulk[]): BulkBoundary | undefined {
  return raw && bulkBoundary(raw);
}

function bulkBoundary(raw: RawBulk): BulkBoundary {
  return {
    pos: raw.pos,
    processed: raw.processed,
    total: raw.total,
    startedAt: raw.started_at,
    resumedAt: raw.resumed_at,
    pauseMs: raw.pause_ms,
    maxPerSecond: raw.max_per_second,
    queueMaxPerSecond: raw.queue_max_per_second,
    rate: raw.rate,
    chunkMs: raw.chunk_ms,
    chunkAt: raw.chunk_at,
    slowMs: raw.slow_ms,
    slowLimitMs: raw.slow_limit_ms,
    wish: wishIn(raw),
  };
}

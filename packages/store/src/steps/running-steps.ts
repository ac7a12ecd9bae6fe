import type { CancelTime, CancelWish, RunningRow } from "@andon/engine";
import { type RawWish, wishIn, wishOf } from "./bulk-wish.ts";
import { type StepContext, shared } from "./statement-registry.ts";

const take = shared(
  "running-take",
  () => `delete from andon_running where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason, cancel_at, ${wishOf("andon_running.pos")}`,
);
/**
 * Only a statement that ends the claim or stores a checkpoint locks the row, just before its commit, so a wish does not
 * wait for the handler.
 */
const wish = shared(
  "running-wish-cancel",
  () => `update andon_running
set cancel_actor = coalesce(cancel_actor, @actor), cancel_reason = case when cancel_actor is null then @reason else cancel_reason end,
  cancel_at = case when cancel_actor is null or @at = 'now' then @at else cancel_at end
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos
returning pos, queue, worker, fence, started_at, cancel_actor, cancel_reason, cancel_at`,
);
/**
 * A cursor that moves shows progress, so losses are counted from zero again. If it stays, its chunk may be what kills
 * the workers.
 */
const checkpoint = shared(
  "job-checkpoint",
  () => `update andon_jobs set cursor = @cursor, progress = coalesce(@progress, progress),
  stalled = case when cursor is distinct from @cursor then 0 else stalled end
where pos = @pos and exists (
  select 1 from andon_running r
  where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos and r.fence = @fence
    and coalesce(r.cancel_at, 'boundary') = 'boundary'
)`,
);
export const holdClaim = shared(
  "running-hold",
  (d) =>
    `select pos from andon_running
where queue = (select queue from andon_jobs where pos = @pos) and pos = @pos and fence = @fence
  and coalesce(cancel_at, 'boundary') = 'boundary'${d.forUpdate}`,
);
/** The id as a subquery: with a join PostgreSQL may scan all jobs to find the few that run (300 ms among 40,000). */
const running = shared(
  "running-list",
  () => `select r.pos, (select j.id from andon_jobs j where j.pos = r.pos) as id, r.queue, r.worker, r.fence, r.started_at,
  r.cancel_actor, r.cancel_reason, r.cancel_at
from andon_running r
where (cast(@queue as text) is null or r.queue = @queue) and (cast(@worker as text) is null or r.worker = @worker)
order by r.queue, r.pos`,
);
const runningOne = shared(
  "running-one",
  () => `select r.pos, (select j.id from andon_jobs j where j.pos = @pos) as id, r.queue, r.worker, r.fence, r.started_at,
  r.cancel_actor, r.cancel_reason, r.cancel_at
from andon_running r where r.queue = (select j.queue from andon_jobs j where j.pos = @pos) and r.pos = @pos`,
);

interface RawRunning {
  pos: number;
  id?: string;
  queue: string;
  worker: string;
  fence: number;
  started_at: number;
  cancel_actor: string | null;
  cancel_reason: string | null;
  cancel_at: CancelTime | null;
}

type TakenRunning = RawRunning & RawWish;

export async function takeRunning(
  at: StepContext,
  pos: number,
  fence: number,
): Promise<RunningRow | undefined> {
  const [raw] = await at.session.all<TakenRunning>(take(at.dialect), { pos, fence });
  return raw && { ...runningRow(raw), abort: wishIn(raw) };
}

export async function wishCancel(
  at: StepContext,
  pos: number,
  cancel: CancelWish,
): Promise<RunningRow | undefined> {
  const [raw] = await at.session.all<RawRunning>(wish(at.dialect), { pos, ...cancel });
  return raw && runningRow(raw);
}

/** The claim is locked first, so that a sweep cannot take it back between the check and the commit. */
export async function saveCheckpoint(
  at: StepContext,
  pos: number,
  fence: number,
  cursor: string,
  progress: string | null,
): Promise<boolean> {
  const held = await at.session.all(holdClaim(at.dialect), { pos, fence });
  if (held.length === 0) return false;
  return (await at.session.run(checkpoint(at.dialect), { pos, fence, cursor, progress })) === 1;
}

export async function runningOf(
  at: StepContext,
  filter: { queue?: string; worker?: string },
): Promise<RunningRow[]> {
  const values = { queue: filter.queue ?? null, worker: filter.worker ?? null };
  return (await at.session.all<RawRunning>(running(at.dialect), values)).map(runningRow);
}

export async function readRunning(at: StepContext, pos: number): Promise<RunningRow | undefined> {
  const [raw] = await at.session.all<RawRunning>(runningOne(at.dialect), { pos });
  return raw && runningRow(raw);
}

function runningRow(raw: RawRunning): RunningRow {
  return {
    pos: raw.pos,
    id: raw.id ?? "",
    queue: raw.queue,
    worker: raw.worker,
    fence: raw.fence,
    startedAt: raw.started_at,
    cancel:
      raw.cancel_actor === null
        ? null
        : { actor: raw.cancel_actor, reason: raw.cancel_reason, at: raw.cancel_at ?? "now" },
    abort: null,
  };
}

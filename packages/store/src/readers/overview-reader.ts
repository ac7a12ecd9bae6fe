import type { QueueOverview } from "@andon/engine";
import { type StepContext, shared } from "../steps/kit.ts";
import { firstReady } from "../steps/line-steps.ts";

const held = shared(
  "overview-held-lanes",
  () =>
    "select count(*) as total from (select 1 from andon_lanes where queue = @queue and held_at is not null limit 10000) l",
);
const finished = shared(
  "turns-done-since",
  () => `select coalesce(sum(t.done), 0) as done, count(*) as turns, min(t.at) as since from (
  select done, at from andon_turns where queue = @queue order by id desc limit @most
) t where t.at > @since`,
);

const MINUTE_MS = 60_000;
const MOST_TURNS = 2_000;

export async function overview(at: StepContext, queue: string, now: number): Promise<QueueOverview> {
  const [lanes] = await at.session.all<{ total: number }>(held(at.dialect), { queue });
  return {
    heldLanes: lanes?.total ?? 0,
    oldestWaitingAt: (await firstReady(at, queue))?.createdAt ?? null,
    donePerMinute: await donePerMinute(at, queue, now),
  };
}

/** From the last turns; where they do not reach a minute back, it is what a minute would have had at their pace. */
async function donePerMinute(at: StepContext, queue: string, now: number): Promise<number> {
  const values = { queue, most: MOST_TURNS, since: now - MINUTE_MS };
  const [row] = await at.session.all<{ done: number; turns: number; since: number | null }>(
    finished(at.dialect),
    values,
  );
  const done = Number(row?.done ?? 0);
  if (!row || row.since === null || row.turns < MOST_TURNS) return done;
  return Math.round((done * MINUTE_MS) / Math.max(now - row.since, 1));
}

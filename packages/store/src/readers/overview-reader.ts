import type { QueueOverview } from "@andon/engine";
import { LAST_TURNS } from "../statements/turns.ts";
import { type StepContext, shared } from "../steps/kit.ts";
import { firstReady } from "../steps/line-steps.ts";
import { tallies } from "./count-reader.ts";

const finished = shared(
  "turns-done-since",
  () => `select coalesce(sum(t.done), 0) as done, count(*) as turns, min(t.at) as since from (
  select done, at from andon_turns where ${LAST_TURNS.where} order by ${LAST_TURNS.order} limit @most
) t where t.at > @since`,
);

const MINUTE_MS = 60_000;
/** Few at first: of a queue at rest, the last turns reach further back than a minute. */
const TURNS_LOOKED_AT = [50, 2_000];

export async function overview(at: StepContext, queue: string, now: number): Promise<QueueOverview> {
  const [counts, next, done] = await Promise.all([
    tallies(at, queue),
    firstReady(at, queue),
    donePerMinute(at, queue, now),
  ]);
  return { heldLanes: counts.held, oldestWaitingAt: next?.createdAt ?? null, donePerMinute: done };
}

/** From the last turns; where they do not reach a minute back, it is what a minute would have had at their pace. */
async function donePerMinute(at: StepContext, queue: string, now: number): Promise<number> {
  let atThatPace = 0;
  for (const most of TURNS_LOOKED_AT) {
    const values = { queue, most, since: now - MINUTE_MS };
    const [row] = await at.session.all<{ done: number; turns: number; since: number | null }>(
      finished(at.dialect),
      values,
    );
    const done = Number(row?.done ?? 0);
    if (!row || row.since === null || row.turns < most) return done;
    atThatPace = Math.round((done * MINUTE_MS) / Math.max(now - row.since, 1));
  }
  return atThatPace;
}

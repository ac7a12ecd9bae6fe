import type { HistoryKind, OldestHistory } from "@andon/engine";
import { type StepContext, shared } from "./statement-registry.ts";

/** The newest row stays: SQLite would assign its number again, and readers of the feed continue from numbers. */
const NOT_NEWEST = "id < (select max(id) from andon_events)";
const oldest = shared(
  "history-oldest",
  () => `select
  (select at from andon_events where ${NOT_NEWEST} order by id limit 1) as events,
  (select min(finished_at) from andon_attempts) as attempts,
  (select at from andon_stops where resumed_at is not null order by id limit 1) as stops,
  (select min(kept_since) from andon_arrivals) as arrivals,
  (select min(at) from andon_history where step = 'm') as minutes,
  (select min(at) from andon_history where step = 'h') as hours`,
);

function lastOfStep(step: "m" | "h"): string {
  return `select max(at) as last from (
  select at from andon_history where step = '${step}' and at < @before order by at limit @most
) oldest`;
}

/** Ids of the feed and of stops follow time, so the oldest rows show whether there are old ones. */
const LAST_OLD: Record<HistoryKind, string> = {
  events: `select max(id) as last from (
  select id, at from andon_events where ${NOT_NEWEST} order by id limit @most
) oldest where at < @before`,
  attempts: `select max(finished_at) as last from (
  select finished_at from andon_attempts where finished_at < @before order by finished_at limit @most
) oldest`,
  stops: `select max(id) as last from (
  select id, at from andon_stops where resumed_at is not null order by id limit @most
) oldest where at < @before`,
  arrivals: `select max(kept_since) as last from (
  select kept_since from andon_arrivals where kept_since < @before order by kept_since limit @most
) oldest`,
  minutes: lastOfStep("m"),
  hours: lastOfStep("h"),
};
const DROP: Record<HistoryKind, string> = {
  events: "delete from andon_events where id <= @last and at < @before",
  attempts: "delete from andon_attempts where finished_at <= @last",
  stops: "delete from andon_stops where id <= @last and at < @before and resumed_at is not null",
  arrivals: "delete from andon_arrivals where kept_since <= @last",
  minutes: "delete from andon_history where step = 'm' and at <= @last",
  hours: "delete from andon_history where step = 'h' and at <= @last",
};

const KINDS = Object.keys(DROP) as HistoryKind[];
const statements = new Map(
  KINDS.map((kind) => [
    kind,
    {
      last: shared(`history-last-${kind}`, () => LAST_OLD[kind]),
      drop: shared(`history-drop-${kind}`, () => DROP[kind]),
    },
  ]),
);

export async function oldestHistory(at: StepContext): Promise<OldestHistory> {
  const [row] = await at.session.all<OldestHistory>(oldest(at.dialect), {});
  return row as OldestHistory;
}

/** Deletes about `most` rows from before a time; returns how many. */
export async function dropHistory(
  at: StepContext,
  kind: HistoryKind,
  before: number,
  most: number,
): Promise<number> {
  const { last, drop } = statements.get(kind) as NonNullable<ReturnType<typeof statements.get>>;
  const [found] = await at.session.all<{ last: number | string | null }>(last(at.dialect), { before, most });
  if (found?.last === null || found === undefined) return 0;
  const isDatedByItself = kind !== "events" && kind !== "stops";
  const values = isDatedByItself ? { last: found.last } : { last: found.last, before };
  return at.session.run(drop(at.dialect), values);
}

const begins = shared("feed-begins", () => "select at from andon_events order by id limit 1");

export async function feedBeginsAt(at: StepContext): Promise<number | null> {
  return (await at.session.all<{ at: number }>(begins(at.dialect), {}))[0]?.at ?? null;
}

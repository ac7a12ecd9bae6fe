import {
  type EndedInMinute,
  type HistoryRow,
  type HistoryRun,
  type HistoryTotal,
  type HistoryWish,
  mergedText,
  type Sample,
  type StoredHistory,
  stepOf,
} from "@andon/engine";
import { type StepContext, shared } from "../steps/statement-registry.ts";

const COUNTS = "added, done, failed, attempts_failed, waiting, running, waits, runs";
const UNMERGED =
  "added, done, failures as failed, attempts_failed, null as waiting, null as running, waits, runs";

/** One statement, so one snapshot: a row is either merged into the history or still unmerged, never both. */
const steps = shared(
  "history-steps",
  () => `select at, ${COUNTS} from andon_history where queue = @queue and step = @step and at >= @from and at < @before
union all
select coalesce(at, @now), ${UNMERGED} from andon_tallies
where queue = @queue and id > 0 and merged = 0 and coalesce(at, @now) >= @from and coalesce(at, @now) < @before`,
);
/**
 * One row per queue: the minutes of 1,000 queues are 60,000 rows, which cost ten times as much to return as their
 * texts. The history is read by its key, queue by queue.
 */
const endedMinutes = shared(
  "history-ended",
  (d) => `select queue, string_agg(cast(at as text) || ' ' || done || ' ' || failed, ',') as minutes from (
  select queue, at, done, failed from andon_history
  where queue ${d.among("queues", "text")} and step = 'm' and at >= @from and done + failed > 0
  union all
  select queue, coalesce(at, @now) as at, done, failures from andon_tallies
  where queue ${d.among("queues", "text")} and id > 0 and merged = 0 and coalesce(at, @now) >= @from and done + failures > 0
) m group by queue`,
);
const totals = shared(
  "history-totals",
  (
    d,
  ) => `select queue, ${COUNTS} from andon_history where queue ${d.among("queues", "text")} and step = 't' and at = 0
union all
select queue, ${UNMERGED} from andon_tallies where queue ${d.among("queues", "text")} and id > 0 and merged = 0`,
);
const sampleBefore = shared(
  "history-sample",
  () => `select waiting, running from andon_history
where queue = @queue and step = @step and at < @from and waiting is not null order by at desc limit 1`,
);
const countsNow = shared(
  "history-counts",
  () => `select coalesce(sum(ready + blocked), 0) as waiting, coalesce(sum(running), 0) as running
from andon_tallies where queue = @queue and id > 0`,
);
const runsIn = shared(
  "history-runs",
  () => `select from_at, until_at from andon_history_runs
where from_at < @before and (until_at is null or until_at >= @from)`,
);

interface RawRow {
  at: number;
  queue: string;
  added: number;
  done: number;
  failed: number;
  attempts_failed: number;
  waiting: number | null;
  running: number | null;
  waits: string | null;
  runs: string | null;
}

export async function history(
  at: StepContext,
  queue: string,
  { step, ms, from, before }: HistoryWish,
): Promise<StoredHistory> {
  const now = Math.max(from, before - 1);
  const [found, samples, current, runs] = await Promise.all([
    at.session.all<RawRow>(steps(at.dialect), { queue, step, from, before, now }),
    at.session.all<Sample>(sampleBefore(at.dialect), { queue, step, from }),
    at.session.all<Sample>(countsNow(at.dialect), { queue }),
    at.session.all<{ from_at: number; until_at: number | null }>(runsIn(at.dialect), { from, before }),
  ]);
  const rows = new Map<number, HistoryRow>();
  for (const row of found) {
    const begin = stepOf(row.at, ms);
    rows.set(begin, added({ at: begin, ...(rows.get(begin) ?? NOTHING) }, row));
  }
  return {
    rows: [...rows.values()],
    sample: samples[0] ?? null,
    now: { waiting: Number(current[0]?.waiting ?? 0), running: Number(current[0]?.running ?? 0) },
    runs: runs.map((run): HistoryRun => ({ from: run.from_at, until: run.until_at })),
  };
}

export async function endedByMinute(
  at: StepContext,
  queues: readonly string[],
  from: number,
): Promise<EndedInMinute[]> {
  const values = { queues: at.dialect.array(queues), from, now: at.now };
  const rows = await at.session.all<{ queue: string; minutes: string }>(endedMinutes(at.dialect), values);
  return rows.flatMap(({ queue, minutes }) =>
    minutes.split(",").map((minute) => {
      const [time, done, failed] = minute.split(" ").map(Number) as [number, number, number];
      return { queue, at: time, done, failed };
    }),
  );
}

export async function historyTotals(
  at: StepContext,
  queues: readonly string[],
): Promise<Map<string, HistoryTotal>> {
  const sums = new Map<string, HistoryRow>(queues.map((queue) => [queue, { at: 0, ...NOTHING }]));
  const values = { queues: at.dialect.array(queues) };
  for (const row of await at.session.all<RawRow>(totals(at.dialect), values))
    sums.set(row.queue, added(sums.get(row.queue) as HistoryRow, row));
  return sums;
}

const NOTHING = {
  added: 0,
  done: 0,
  failed: 0,
  attemptsFailed: 0,
  waiting: null,
  running: null,
  waits: null,
  runs: null,
};

function added(sum: HistoryRow, row: RawRow): HistoryRow {
  return {
    at: sum.at,
    added: sum.added + Number(row.added),
    done: sum.done + Number(row.done),
    failed: sum.failed + Number(row.failed),
    attemptsFailed: sum.attemptsFailed + Number(row.attempts_failed),
    waiting: row.waiting ?? sum.waiting,
    running: row.running ?? sum.running,
    waits: mergedText(sum.waits, row.waits),
    runs: mergedText(sum.runs, row.runs),
  };
}

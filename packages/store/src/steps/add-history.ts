import { HOUR_MS, MINUTE_MS, mergedText, stepOf } from "@andon/engine";
import { type StepContext, shared } from "./statement-registry.ts";

/** Changes in one queue and minute, to be added to its history. */
export interface HistoryChange {
  readonly queue: string;
  /** The start of the minute. */
  readonly at: number;
  added: number;
  done: number;
  failed: number;
  attempts_failed: number;
  waits: string | null;
  runs: string | null;
}

export interface QueueSample {
  readonly queue: string;
  readonly waiting: number;
  readonly running: number;
}

type Step = "m" | "h" | "t";
interface StepChange extends HistoryChange {
  readonly step: Step;
  waiting: number | null;
  running: number | null;
}

const COLUMNS = {
  queue: "text",
  step: "text",
  at: "bigint",
  added: "bigint",
  done: "bigint",
  failed: "bigint",
  attempts_failed: "bigint",
  waiting: "bigint",
  running: "bigint",
} as const;
const NAMES = Object.keys(COLUMNS);

/** `where r.n >= 0`: without a condition SQLite would parse `on conflict` as the `on` of a join. */
const add = shared(
  "history-add",
  (d) => `insert into andon_history (${NAMES.join(", ")})
select ${NAMES.map((name) => `r.${name}`).join(", ")} from ${d.records("rows", COLUMNS)} where r.n >= 0 order by r.n
on conflict (queue, step, at) do update set
  added = andon_history.added + excluded.added,
  done = andon_history.done + excluded.done,
  failed = andon_history.failed + excluded.failed,
  attempts_failed = andon_history.attempts_failed + excluded.attempts_failed,
  waiting = coalesce(excluded.waiting, andon_history.waiting),
  running = coalesce(excluded.running, andon_history.running)`,
);
const KEY = "queue = @queue and step = @step and at = @at";
const timesOf = shared("history-times", () => `select waits, runs from andon_history where ${KEY}`);
const saveTimes = shared(
  "history-save-times",
  () => `update andon_history set waits = @waits, runs = @runs where ${KEY}`,
);

/** The length of each step; the total starts at 0. */
const STEPS: readonly (readonly [Step, number])[] = [
  ["h", HOUR_MS],
  ["m", MINUTE_MS],
  ["t", Number.POSITIVE_INFINITY],
];

/**
 * Adds changes to the minute, the hour and the total of their queues, so no later roll-up is needed. Rows are written
 * in the order of their keys, so that two merges at once cannot deadlock. They stay locked while their histograms are
 * read and written one by one.
 */
export async function addHistory(
  at: StepContext,
  changes: readonly HistoryChange[],
  samples: readonly QueueSample[],
): Promise<void> {
  const rows = new Map<string, StepChange>();
  const rowOf = (queue: string, step: Step, when: number) => {
    const key = JSON.stringify([queue, step, when]);
    const row = rows.get(key) ?? emptyRow(queue, step, when);
    rows.set(key, row);
    return row;
  };
  for (const change of changes)
    for (const [step, ms] of STEPS) {
      const row = rowOf(change.queue, step, ms === Number.POSITIVE_INFINITY ? 0 : stepOf(change.at, ms));
      row.added += change.added;
      row.done += change.done;
      row.failed += change.failed;
      row.attempts_failed += change.attempts_failed;
      row.waits = mergedText(row.waits, change.waits);
      row.runs = mergedText(row.runs, change.runs);
    }
  for (const { queue, waiting, running } of samples)
    for (const [step, ms] of [["h", HOUR_MS] as const, ["m", MINUTE_MS] as const])
      Object.assign(rowOf(queue, step, stepOf(at.now, ms)), { waiting, running });
  const sorted = [...rows].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, row]) => row);
  const told = sorted.map(({ waits: _waits, runs: _runs, ...row }, n) => ({ n, ...row }));
  if (told.length > 0) await at.session.run(add(at.dialect), { rows: JSON.stringify(told) });
  for (const row of sorted) if (row.waits !== null || row.runs !== null) await addTimes(at, row);
}

async function addTimes(at: StepContext, { queue, step, at: when, waits, runs }: StepChange): Promise<void> {
  const key = { queue, step, at: when };
  const [kept] = await at.session.all<Pick<StepChange, "waits" | "runs">>(timesOf(at.dialect), key);
  const merged = {
    waits: mergedText(kept?.waits ?? null, waits),
    runs: mergedText(kept?.runs ?? null, runs),
  };
  await at.session.run(saveTimes(at.dialect), { ...key, ...merged });
}

function emptyRow(queue: string, step: Step, at: number): StepChange {
  const counts = { added: 0, done: 0, failed: 0, attempts_failed: 0 };
  return { queue, step, at, ...counts, waits: null, runs: null, waiting: null, running: null };
}

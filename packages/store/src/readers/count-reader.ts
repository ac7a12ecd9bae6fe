import { JOB_STATES, type JobCounts } from "@andon/contract";
import { MINUTE_MS, mergedText, stepOf } from "@andon/engine";
import { addHistory, type HistoryChange, type QueueSample } from "../steps/add-history.ts";
import { addEvents, addTally, type PendingEvent, TALLIED, type Tally } from "../steps/ledger-steps.ts";
import { type StepContext, shared } from "../steps/statement-registry.ts";

const SUMS = TALLIED.map((column) => `coalesce(sum(${column}), 0) as ${column}`).join(", ");

/**
 * `id > 0` selects the primary key, which leads to the few rows: PostgreSQL's table keeps the space of all rows that
 * were ever merged.
 */
const sum = shared(
  "tallies-sum",
  (d) =>
    `select queue, ${SUMS} from andon_tallies where queue ${d.among("queues", "text")} and id > 0 group by queue`,
);
const rowsToMerge = shared(
  "tallies-rows",
  (d) =>
    `select id, queue, merged, at, added, failures, attempts_failed, waits, runs, ${TALLIED.join(", ")} from andon_tallies order by id limit @most${d.forUpdateSkipLocked}`,
);
const drop = shared("tallies-drop", (d) => `delete from andon_tallies where id ${d.among("ids", "bigint")}`);

/** Sums per queue. They are exact at any moment: a change of a count commits with the change it counts. */
export async function talliesOf(
  at: StepContext,
  queues: readonly string[],
): Promise<(queue: string) => Tally> {
  const values = { queues: at.dialect.array(queues) };
  const rows = await at.session.all<Tally & { queue: string }>(sum(at.dialect), values);
  const byQueue = new Map(rows.map((row) => [row.queue, row]));
  return (queue) => {
    const row = byQueue.get(queue);
    return Object.fromEntries(TALLIED.map((column) => [column, Number(row?.[column] ?? 0)])) as Tally;
  };
}

export async function tallies(at: StepContext, queue: string): Promise<Tally> {
  return (await talliesOf(at, [queue]))(queue);
}

export async function countsOf(at: StepContext, queues: readonly string[]): Promise<Map<string, JobCounts>> {
  const tallyOf = await talliesOf(at, queues);
  return new Map(queues.map((queue) => [queue, jobCounts(tallyOf(queue))]));
}

export async function counts(at: StepContext, queue: string): Promise<JobCounts> {
  return jobCounts(await tallies(at, queue));
}

function jobCounts(tally: Tally): JobCounts {
  return Object.fromEntries(JOB_STATES.map((state) => [state, tally[state]])) as JobCounts;
}

const MOST_MERGED = 20_000;

type TallyRow = Tally & {
  id: number;
  queue: string;
  merged: number;
  /** Null in rows that an earlier version wrote. */
  at: number | null;
  added: number;
  failures: number;
  attempts_failed: number;
  waits: string | null;
  runs: string | null;
};

/**
 * Merges the rows of each queue into one, and adds their numbers to the history. Jobs done since the last merge make
 * one `jobs.done` event per queue; each row is merged once, so that the sums of the feed are exact. Returns whether it
 * wrote any event.
 */
export async function mergeTallies(at: StepContext): Promise<boolean> {
  const rows = await at.session.all<TallyRow>(rowsToMerge(at.dialect), { most: MOST_MERGED });
  const fresh = new Set(rows.filter((row) => row.merged === 0).map((row) => row.queue));
  const sums = new Map<string, { all: Tally; done: number }>();
  const toMerge = rows.filter((row) => fresh.has(row.queue));
  for (const row of toMerge) {
    const sum = sums.get(row.queue) ?? { all: emptyTally(), done: 0 };
    for (const column of TALLIED) sum.all[column] += row[column];
    if (row.merged === 0) sum.done += row.done;
    sums.set(row.queue, sum);
  }
  if (sums.size === 0) return false;
  await at.session.run(drop(at.dialect), { ids: at.dialect.array(toMerge.map((row) => row.id)) });
  for (const [queue, { all }] of sums) await addTally(at, queue, all, 1);
  await addHistory(at, changesIn(at.now, toMerge), [...sums].map(sampleOf));
  const events = [...sums]
    .filter(([, { done }]) => done > 0)
    .map(([queue, { done }]): PendingEvent => ({ type: "jobs.done", queue, jobId: null, data: { done } }));
  await addEvents(at, events);
  return events.length > 0;
}

function sampleOf([queue, { all }]: [string, { all: Tally }]): QueueSample {
  return { queue, waiting: all.ready + all.blocked, running: all.running };
}

/** Changes by queue and minute. */
function changesIn(now: number, rows: readonly TallyRow[]): HistoryChange[] {
  const changes = new Map<string, HistoryChange>();
  for (const row of rows) {
    if (row.merged !== 0 || !tellsOfAny(row)) continue;
    const at = stepOf(row.at ?? now, MINUTE_MS);
    const key = `${at} ${row.queue}`;
    const change = changes.get(key) ?? { queue: row.queue, at, ...NOTHING };
    change.added += row.added;
    change.done += row.done;
    change.failed += row.failures;
    change.attempts_failed += row.attempts_failed;
    change.waits = mergedText(change.waits, row.waits);
    change.runs = mergedText(change.runs, row.runs);
    changes.set(key, change);
  }
  return [...changes.values()];
}

const NOTHING = { added: 0, done: 0, failed: 0, attempts_failed: 0, waits: null, runs: null };

function tellsOfAny({ added, done, failures, attempts_failed, waits, runs }: TallyRow): boolean {
  return added + done + failures + attempts_failed > 0 || waits !== null || runs !== null;
}

function emptyTally(): Tally {
  return Object.fromEntries(TALLIED.map((column) => [column, 0])) as Tally;
}

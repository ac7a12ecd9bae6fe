import { setImmediate as nextTurn } from "node:timers/promises";
import { AndonError, type HistoryPoint, type HistoryStepName, type QueueHistory } from "@andon/contract";
import type { HistoryRow, HistoryRun, Store } from "../ports/store.ts";
import { histogramIn, percentiles } from "./histogram.ts";
import { HISTORY_STEPS, stepOf } from "./steps.ts";

export interface HistoryQuestion {
  /** The first time, in milliseconds. Default: 60 steps back. */
  readonly from?: number | undefined;
  /** The last time, in milliseconds. Default: now, the running step included. */
  readonly to?: number | undefined;
  /** Default: 1m. */
  readonly step?: HistoryStepName | undefined;
}

/** A week of minutes, or more than a year of hours. */
export const MOST_POINTS = 11_000;
const STEPS_BACK = 60;
/** After this many points the event loop gets a turn: a week of minutes takes 100 ms. */
const POINTS_PER_TURN = 500;

export async function historyOf(
  store: Store,
  queue: string,
  { from, to, step = "1m" }: HistoryQuestion,
): Promise<QueueHistory> {
  const { stored, ms } = HISTORY_STEPS[step];
  const now = Math.floor(store.clock.now());
  const end = Math.min(to ?? now, now);
  // A range that ends at a step's boundary excludes the step that begins there; a range up to now includes the running
  // step.
  const isWhole = to !== undefined && to <= now && to % ms === 0 && to > (from ?? 0);
  const last = isWhole ? to - ms : stepOf(end, ms);
  const first = stepOf(from ?? last - (STEPS_BACK - 1) * ms, ms);
  const count = Math.max(0, (last - first) / ms + 1);
  if (to !== undefined && from !== undefined && to < from)
    throw new AndonError("HISTORY_RANGE", {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
    });
  if (count > MOST_POINTS)
    throw new AndonError("HISTORY_TOO_LONG", { points: count, most: MOST_POINTS, step });
  if (count === 0) return { queue, step, points: [] };
  const found = await store.read.history(queue, { step: stored, ms, from: first, before: last + ms });
  const rows = new Map(found.rows.map((row) => [row.at, row]));
  let sample = found.sample ?? { waiting: 0, running: 0 };
  const points: HistoryPoint[] = [];
  for (let at = first; at <= last; at += ms) {
    if (points.length % POINTS_PER_TURN === POINTS_PER_TURN - 1) await nextTurn();
    const row = rows.get(at);
    if (row && row.waiting !== null && row.running !== null)
      sample = { waiting: row.waiting, running: row.running };
    if (at === stepOf(now, ms)) sample = found.now;
    const hasRun = ranIn(found.runs, at, at + ms);
    points.push({ at, ...countsIn(row), ...(hasRun ? sample : { waiting: null, running: null }) });
  }
  return { queue, step, points };
}

function ranIn(runs: readonly HistoryRun[], from: number, to: number): boolean {
  return runs.some((run) => run.from < to && (run.until === null || run.until > from));
}

const SHOWN_PARTS = [0.5, 0.95] as const;

function countsIn(row: HistoryRow | undefined) {
  const [waitP50, waitP95] = percentiles(histogramIn(row?.waits ?? null), SHOWN_PARTS);
  const [runP50, runP95] = percentiles(histogramIn(row?.runs ?? null), SHOWN_PARTS);
  return {
    added: row?.added ?? 0,
    done: row?.done ?? 0,
    failed: row?.failed ?? 0,
    attemptsFailed: row?.attemptsFailed ?? 0,
    waitP50,
    waitP95,
    runP50,
    runP95,
  };
}

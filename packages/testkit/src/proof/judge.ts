import { findContradictions } from "../contradictions.ts";
import { inversions, overlaps } from "../processes/judges.ts";
import type { Entry } from "../processes/ledger.ts";
import type { Site } from "../processes/site.ts";
import type { Outcome } from "./outcome.ts";

type Judged = Pick<Outcome, "lost" | "outOfOrder" | "doubled" | "recoveries" | "findings">;

const MOST_NAMED = 5;

/** What the ledger shows about one queue: order, repetitions and the waiting time of lost jobs. */
export function judgeLedger(all: readonly Entry[], queue: string): Judged {
  const entries = all.filter((entry) => entry.queue === queue || entry.what === "killed");
  const disorder = [...inversions(entries), ...overlaps(entries)];
  const findings = named("out of order", disorder);
  const deaths = new Map(
    entries.flatMap((entry, line) =>
      entry.what === "killed" ? [[entry.pid, { line, at: entry.at }] as const] : [],
    ),
  );
  const { recoveries, unexplained, doubled } = repetitions(entries, deaths);
  findings.push(...named("started again though nothing had ended the start before", unexplained));
  return { lost: 0, outOfOrder: disorder.length, doubled, recoveries, findings };
}

/**
 * The same, and that every job with one of these numbers is done, in the ledger and in the store, and that the tables
 * agree.
 */
export async function judgeDone(site: Site, queue: string, numbers: readonly number[]): Promise<Judged> {
  const entries = site.ledger.read();
  const judged = judgeLedger(entries, queue);
  const ended = new Set(
    entries.filter((entry) => entry.queue === queue && entry.what === "end").map(({ n }) => n),
  );
  const rows = await site.query<{ payload: string; state: string }>(
    "select payload, state from andon_jobs where queue = $1",
    [queue],
  );
  const stored = new Map<number, string[]>();
  for (const { payload, state } of rows) {
    const { n } = JSON.parse(payload) as { n: number };
    stored.set(n, [...(stored.get(n) ?? []), state]);
  }
  const lost = numbers.filter((n) => !ended.has(n) || stored.get(n)?.join() !== "done");
  judged.lost = lost.length;
  judged.findings.push(
    ...named(
      "lost",
      lost.map(
        (n) => `job ${n}: ${stored.get(n) ?? "not stored"}${ended.has(n) ? "" : ", never ran to its end"}`,
      ),
    ),
    ...(await contradictionsIn(site)),
  );
  return judged;
}

export async function contradictionsIn(site: Site): Promise<string[]> {
  const found = Object.entries(await findContradictions(site.andon));
  return found.map(([what, rows]) => `${what}: ${JSON.stringify(rows.slice(0, MOST_NAMED))}`);
}

function named(what: string, cases: readonly string[]): string[] {
  if (cases.length === 0) return [];
  return [`${what}, ${cases.length} times: ${cases.slice(0, MOST_NAMED).join("; ")}`];
}

/** A job may start again if its previous run threw, was aborted, or died with its process. */
function repetitions(
  entries: readonly Entry[],
  deaths: ReadonlyMap<number, { line: number; at: number }>,
): { recoveries: number[]; unexplained: string[]; doubled: number } {
  const runs = new Map<string, { line: number; entry: Entry; told: Set<string> }[]>();
  let doubled = 0;
  const ends = new Set<string>();
  entries.forEach((entry, line) => {
    if (entry.what === "start") {
      const before = runs.get(entry.job) ?? [];
      runs.set(entry.job, [...before, { line, entry, told: new Set() }]);
      return;
    }
    const run = runs.get(entry.job)?.findLast(({ entry: start }) => start.pid === entry.pid);
    run?.told.add(entry.what);
    if (entry.what === "end") {
      if (ends.has(entry.job)) doubled++;
      ends.add(entry.job);
    }
  });
  const recoveries: number[] = [];
  const unexplained: string[] = [];
  for (const starts of runs.values()) {
    starts.slice(0, -1).forEach((run, index) => {
      const next = starts[index + 1] as typeof run;
      if (run.told.has("threw") || run.told.has("aborted")) return;
      const death = deaths.get(run.entry.pid);
      if (death && death.line < next.line) recoveries.push((next.entry.at - death.at) / 1_000);
      else unexplained.push(`job ${run.entry.n}`);
    });
  }
  return { recoveries, unexplained, doubled };
}

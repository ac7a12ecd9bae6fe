import type { HistoryPoint, QueueRulesInput } from "@andon/contract";

import { seeded } from "../processes/seeded.ts";
import type { Member, Site } from "../processes/site.ts";
import { contradictionsIn } from "./judge.ts";
import { emptyOutcome, type Outcome } from "./outcome.ts";
import type { KillPlan } from "./random-kills.ts";

const queue = "counted";
const rules: QueueRulesInput = {
  lease: 2_500,
  sweep: 500,
  maxStalled: 100,
  attempts: 3,
  backoff: { delay: 20 },
};
const BEFORE_MS = 60_000;
const AFTER_THE_KILLS = 20;

/**
 * Worker processes are killed at random moments and replaced, including the housekeeper that merges the counts. The
 * sums of the history must still equal the counts, since they come from rows that commit with the jobs.
 */
export async function historyKills(site: Site, plan: KillPlan): Promise<Outcome> {
  const { jobs, kills, seed, processes = 3, places = 6, patience } = plan;
  const random = seeded(seed);
  const from = Date.now() - BEFORE_MS;
  const work = (member: Member) => member.ask({ do: "work", queue, rules, places });
  const fleet = await site.spawn(processes);
  await Promise.all(fleet.map(work));
  const line = site.andon.queue<object>(queue, rules);
  const errand = (n: number) => ({ n, ms: 4 + random.below(12), failures: n % 7 === 0 ? 1 : 0 });
  const errands = (from: number, count: number) => Array.from({ length: count }, (_, n) => errand(from + n));
  await line.addMany(errands(0, jobs));
  const ends = () => site.count("end", queue);
  for (let kill = 1; kill <= kills; kill++) {
    const reached = Math.floor((jobs * kill) / (kills + 1));
    await site.until(`${reached} ended`, () => ends() >= reached, patience);
    const [victim] = fleet.splice(random.below(fleet.length), 1);
    await site.crash(victim as Member);
    const replaced = await site.spawn(1);
    await Promise.all(replaced.map(work));
    fleet.push(...replaced);
  }
  await site.drained(queue, jobs, patience);

  // On a busy machine the killed processes may have run all jobs: then no process is left that has times to write.
  await line.addMany(errands(jobs, AFTER_THE_KILLS));
  const added = jobs + AFTER_THE_KILLS;
  await site.drained(queue, added, patience);
  // Times are written some seconds after their jobs; the counts commit with the jobs.
  const hasTimes = async () =>
    (await line.history({ from, step: "1m" })).points.some(({ runP50 }) => (runP50 ?? 0) > 0);
  await site.until("the run times of a living process are written", hasTimes, patience);
  const [attempts] = await site.query<{ failed: number }>(
    "select count(*) as failed from andon_attempts where outcome in ('failed', 'uncharged')",
  );
  const expected = { added, done: added, failed: 0, attemptsFailed: Number(attempts?.failed) };
  const outcome = { ...emptyOutcome(), rounds: 1, jobs: added, kills };
  for (const step of ["1m", "1h"] as const) {
    const sums = sumsOf((await line.history({ from, step })).points);
    if (JSON.stringify(sums) !== JSON.stringify(expected))
      outcome.findings.push(
        `the history by ${step} says ${JSON.stringify(sums)}, the store ${JSON.stringify(expected)}`,
      );
  }
  outcome.findings.push(...(await contradictionsIn(site)));
  return outcome;
}

function sumsOf(points: readonly HistoryPoint[]) {
  const sum = (member: "added" | "done" | "failed" | "attemptsFailed") =>
    points.reduce((total, point) => total + point[member], 0);
  return {
    added: sum("added"),
    done: sum("done"),
    failed: sum("failed"),
    attemptsFailed: sum("attemptsFailed"),
  };
}

import { Ledger } from "../ledger.ts";
import { percentile } from "../percentile.ts";
import { all, atLeast, atMost, type Round, type Scenario } from "../scenario.ts";
import { addInOrder, jobs, untilSettled, warmUp } from "./draining.ts";

const HELD_SHARE = 0.1;
/** The keys to hold. The same healthy jobs are drained with these held and without them. */
const isHeld = (lane: number) => lane % Math.round(1 / HELD_SHARE) === 0;

export default {
  name: "lanes",
  title: "100,000 keys, a tenth of them held",
  measures:
    "p99 of a claim while the healthy keys drain beside held ones, and `kept`: the healthy keys' rate over the rate of the same keys when nothing is held.",
  mode: "hold",
  full: { keys: 100_000, each: 2 },
  quick: { keys: 5_000, each: 2 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "claimP99", unit: "ms p99 claim", better: "lower" },
  also: [
    { figure: "rate", unit: "jobs/s" },
    { figure: "kept", unit: "kept" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "claim p99 < 20 ms, healthy keys lose ≤ 5 %",
    reached: (ours) => all(atMost(ours("claimP99"), 20), atLeast(ours("kept"), 0.95)),
  })),
  async run(round) {
    const open = await drainHealthy(round, "open", false);
    const held = await drainHealthy(round, "held", true);
    return {
      figures: { claimP99: percentile(held.claims, 0.99), rate: held.rate, kept: held.rate / open.rate },
      problems: [...open.problems, ...held.problems],
      settings: held.settings,
    };
  },
} satisfies Scenario;

async function drainHealthy(round: Round, queue: string, hold: boolean) {
  const keys = round.size.keys ?? 0;
  const all = jobs(keys * (round.size.each ?? 1), keys);
  // Without holding, the jobs of these keys are not added, so that both runs drain the same jobs.
  const held = new Set(
    Array.from({ length: keys }, (_, lane) => lane)
      .filter(isHeld)
      .map((lane) => `key-${lane}`),
  );
  const added = hold ? all : all.filter((job) => !held.has(job.key ?? ""));
  const healthy = added.filter((job) => !held.has(job.key ?? "")).length;

  const contender = await round.open({ queue });
  await warmUp(contender, 500, 100);
  await addInOrder(contender, added, hold ? keys : keys - held.size);
  if (hold) await contender.holdKeys?.([...held]);

  const ledger = new Ledger(all.length);
  const claims: number[] = [];
  let wrong = 0;
  const before = performance.now();
  const working = await contender.work(
    { onClaim: (milliseconds) => claims.push(milliseconds) },
    async (job) => {
      if (hold && held.has(job.key ?? "")) wrong++;
      ledger.startInOrder(job);
      await null;
      ledger.end(job);
    },
  );
  await ledger.reached(healthy);
  await untilSettled(contender, added.length - healthy);
  const seconds = (performance.now() - before) / 1000;
  await working.stop();
  await contender.close();
  const problems = [...ledger.countProblems(healthy), ...ledger.orderProblems()];
  if (wrong > 0) problems.push(`${wrong} jobs of held keys ran`);
  return { rate: healthy / seconds, claims, problems, settings: contender.settings };
}

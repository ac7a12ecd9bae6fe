import { setTimeout as sleep } from "node:timers/promises";
import type { Contender } from "../contender.ts";
import { atLeast, type Scenario, type Target } from "../scenario.ts";
import { jobs, untilSettled } from "./draining.ts";

const STAGES = 5;
/** A stage costs as much as a plain job, plus a row of history. */
const SHARE = 0.7;

/** Jobs or stages per second, and the number of handler calls. */
async function rateOf(contender: Contender, count: number, calls: number) {
  let called = 0;
  await contender.addBulk(jobs(count));
  const before = performance.now();
  const working = await contender.work({}, () => {
    called++;
  });
  while (called < calls) await sleep(1);
  await untilSettled(contender);
  const rate = calls / ((performance.now() - before) / 1_000);
  await sleep(50);
  await working.stop();
  return { rate, called };
}

const target = (store: "postgres" | "sqlite"): Target => ({
  store,
  text: `≥ ${SHARE} of plain jobs per stage`,
  reached: (ours) => atLeast(ours(), SHARE),
});

export default {
  name: "stages",
  title: `Jobs of ${STAGES} stages`,
  measures: `Stages per second of jobs that go through ${STAGES} stages, each with a limit, as a share of as many plain jobs per second on the same store.`,
  mode: "staged",
  full: { jobs: 4_000 },
  quick: { jobs: 600 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 180,
  main: { figure: "share", unit: "of plain jobs", better: "higher" },
  also: [
    { figure: "stages", unit: "stages/s" },
    { figure: "plain", unit: "plain jobs/s" },
  ],
  targets: [target("postgres"), target("sqlite")],
  async run({ open, size }) {
    const count = size.jobs ?? 0;
    const calls = count * STAGES;
    const contender = await open();
    const plain = contender.plain?.();
    if (!plain) throw new Error("this queue has no stages");
    // Warm-up of both.
    await rateOf(plain, 500, 500);
    await rateOf(contender, 100, 100 * STAGES);
    const alone = await rateOf(plain, calls, calls);
    const staged = await rateOf(contender, count, calls);
    await contender.close();
    return {
      figures: { share: staged.rate / alone.rate, stages: staged.rate, plain: alone.rate },
      problems: staged.called === calls ? [] : [`${staged.called} of ${calls} stages ran`],
      settings: contender.settings,
    };
  },
} satisfies Scenario;

import type { Contender } from "../contender.ts";
import { Ledger } from "../ledger.ts";
import { all, atLeast, type Scenario, times } from "../scenario.ts";
import { drain, jobs, untilSettled, warmUp } from "./draining.ts";

export default {
  name: "serial",
  title: "Strictly serial",
  measures:
    "Jobs per second, one at a time. Before that, unmeasured, each handler asks the store whether every job before it is recorded as finished; `early` counts the starts that came before.",
  mode: "serial",
  full: { jobs: 3_000, checked: 200 },
  quick: { jobs: 500, checked: 50 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 120,
  main: { figure: "rate", unit: "jobs/s", better: "higher" },
  also: [
    { figure: "early", unit: "started early" },
    { figure: "inversions", unit: "out of order" },
  ],
  targets: [
    {
      store: "postgres",
      text: "≥ 1.6 × graphile-worker",
      reached: (ours, others) => atLeast(ours(), times(1.6, others.of("graphile-worker"))),
    },
    {
      store: "sqlite",
      text: "≥ BullMQ and ≥ 4,000/s",
      reached: (ours, others) => all(atLeast(ours(), others.of("bullmq")), atLeast(ours(), 4_000)),
    },
  ],
  async run({ open, size, kind }) {
    const count = size.jobs ?? 0;
    const contender = await open();
    await warmUp(contender, 300);
    const early = await startedEarly(contender, size.checked ?? 0);
    await contender.addBulk(jobs(count));
    const { ledger, seconds } = await drain(contender, count, true);
    await contender.close();
    const problems = [...ledger.countProblems()];
    if (ledger.overlaps > 0) problems.push(`${ledger.overlaps} jobs at the same time`);
    // A peer that starts early or out of order keeps its figure, and the columns beside it show that. For ours it is a
    // failure.
    if (kind.role === "ours" && early > 0)
      problems.push(`${early} jobs started before the last end was stored`);
    if (kind.role === "ours") problems.push(...ledger.orderProblems());
    return {
      figures: { rate: count / seconds, early, inversions: ledger.inversions },
      problems,
      settings: contender.settings,
    };
  },
} satisfies Scenario;

async function startedEarly(contender: Contender, count: number): Promise<number> {
  const ledger = new Ledger(count);
  let early = 0;
  await contender.addBulk(jobs(count));
  const working = await contender.work({}, async (job) => {
    const finishedBefore = ledger.started;
    ledger.start(job);
    if ((await contender.unfinished()) > count - finishedBefore) early++;
  });
  await ledger.reached(count);
  await untilSettled(contender);
  await working.stop();
  return early;
}

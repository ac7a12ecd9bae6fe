import { all, atLeast, type Scenario, times } from "../scenario.ts";
import { drain, jobs, warmUp } from "./draining.ts";

export default {
  name: "drain",
  title: "Drain jobs that do nothing",
  measures:
    "Jobs per second from the start of one worker until the store has recorded the last one. Each must run exactly once.",
  mode: "drain",
  full: { jobs: 20_000 },
  quick: { jobs: 5_000 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 120,
  main: { figure: "rate", unit: "jobs/s", better: "higher" },
  targets: [
    {
      store: "postgres",
      text: "≥ 1.25 × graphile-worker's best",
      reached: (ours, others) => atLeast(ours(), times(1.25, others.of("graphile-worker"))),
    },
    {
      store: "sqlite",
      text: "≥ 5 × plainjob and ≥ 4 × BullMQ",
      reached: (ours, others) =>
        all(atLeast(ours(), times(5, others.of("plainjob"))), atLeast(ours(), times(4, others.of("bullmq")))),
    },
  ],
  async run({ open, size }) {
    const count = size.jobs ?? 0;
    const contender = await open();
    await warmUp(contender);
    await contender.addBulk(jobs(count));
    const { ledger, seconds } = await drain(contender, count, false);
    await contender.close();
    return {
      figures: { rate: count / seconds },
      problems: ledger.countProblems(),
      settings: contender.settings,
    };
  },
} satisfies Scenario;

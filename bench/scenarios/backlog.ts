import { Ledger } from "../ledger.ts";
import { all, atLeast, type Round, type Scenario, times } from "../scenario.ts";
import { jobs, warmUp } from "./draining.ts";

const WITHIN = 0.8;

export default {
  name: "backlog",
  title: "First 10,000 of 1,000,000 waiting, nobody ran ANALYZE",
  measures:
    "Jobs per second from the start of one worker to the start of its last counted job, with a deep backlog and, in the same round, with no more waiting than are counted; `kept` is the first over the second.",
  mode: "drain",
  full: { counted: 10_000, waiting: 1_000_000 },
  quick: { counted: 5_000, waiting: 50_000 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "rate", unit: "jobs/s", better: "higher" },
  also: [
    { figure: "shallow", unit: "jobs/s when few wait" },
    { figure: "kept", unit: "kept" },
  ],
  targets: [
    {
      store: "postgres",
      text: "≥ 2.5 × BullMQ, and within 20 % of its own rate when few wait",
      reached: (ours, others) =>
        all(atLeast(ours(), times(2.5, others.of("bullmq"))), atLeast(ours("kept"), WITHIN)),
    },
    {
      store: "sqlite",
      text: "within 20 % of its own rate when few wait",
      reached: (ours) => atLeast(ours("kept"), WITHIN),
    },
  ],
  async run(round) {
    const counted = round.size.counted ?? 0;
    // The first pass is discarded: the second pass ran up to 1.7 times as fast, on code that was compiled by then.
    await first(round, "cold", counted, counted);
    const shallow = await first(round, "shallow", counted, counted);
    const deep = await first(round, "deep", counted, round.size.waiting ?? 0);
    return {
      figures: { rate: deep.rate, shallow: shallow.rate, kept: deep.rate / shallow.rate },
      problems: [...shallow.problems, ...deep.problems],
      settings: deep.settings,
    };
  },
} satisfies Scenario;

/** The rate of the first `counted` handlers, with `waiting` jobs in the store when the worker starts. */
async function first({ open }: Round, queue: string, counted: number, waiting: number) {
  const contender = await open({ queue });
  await warmUp(contender);
  // In slices, so that the payloads of a million jobs do not all lie in this process while it is measured.
  const slice = 50_000;
  for (let from = 0; from < waiting; from += slice) {
    await contender.addBulk(jobs(Math.min(slice, waiting - from), 0, from));
  }
  const ledger = new Ledger(waiting);
  const before = performance.now();
  const working = await contender.work({}, (job) => ledger.start(job));
  await ledger.reached(counted);
  const seconds = (performance.now() - before) / 1000;
  await working.stop();
  const problems = ledger.countProblems(ledger.started);
  const left = await contender.unfinished();
  if (left !== waiting - ledger.started) {
    problems.push(`${left} unfinished after ${ledger.started} of ${waiting} ran`);
  }
  await contender.close();
  return { rate: counted / seconds, problems, settings: contender.settings };
}

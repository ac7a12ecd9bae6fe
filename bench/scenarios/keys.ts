import { atLeast, best, type Round, type Scenario, type Target, times } from "../scenario.ts";
import { addInOrder, drain, jobs, warmUp } from "./draining.ts";

async function run({ open, size }: Round) {
  const count = size.jobs ?? 0;
  const keys = size.keys ?? 1;
  const contender = await open();
  await warmUp(contender, 500, keys);
  await addInOrder(contender, jobs(count, keys), keys);
  const { ledger, seconds } = await drain(contender, count, true);
  await contender.close();
  return {
    figures: { rate: count / seconds, inversions: ledger.inversions },
    problems: [...ledger.countProblems(), ...ledger.orderProblems()],
    settings: contender.settings,
  };
}

const timesBestPeer = (store: "postgres" | "sqlite", factor: number): Target => ({
  store,
  text: `≥ ${factor} × the best peer`,
  reached: (ours, others) =>
    atLeast(ours(), times(factor, best(others.of("graphile-worker"), others.of("pg-boss")))),
});

const shared = {
  mode: "keyed",
  main: { figure: "rate", unit: "jobs/s", better: "higher" },
  also: [{ figure: "inversions", unit: "out of order" }],
  run,
} as const;

const measures =
  "Jobs per second until the store has recorded the last one; the jobs of a key must run one at a time, in the order they were added.";

export const manyKeys = {
  ...shared,
  name: "keys-1000",
  title: "Drain over 1,000 keys in order",
  measures,
  also: [...shared.also],
  full: { jobs: 20_000, keys: 1_000 },
  quick: { jobs: 5_000, keys: 1_000 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 180,
  targets: [timesBestPeer("postgres", 1.2), timesBestPeer("sqlite", 1.5)],
} satisfies Scenario;

export const fewKeys = {
  ...shared,
  name: "keys-10",
  title: "Drain over 10 keys in order",
  measures,
  also: [...shared.also],
  full: { jobs: 5_000, keys: 10 },
  quick: { jobs: 500, keys: 10 },
  rounds: { full: 3, quick: 1 },
  // A queue that sleeps after each short fetch needs minutes here. The slowest queue without such sleeps takes eight seconds,
  // so after three times that a queue is ended and shown as failed.
  timeoutSeconds: 25,
  targets: [timesBestPeer("postgres", 3), timesBestPeer("sqlite", 8)],
} satisfies Scenario;

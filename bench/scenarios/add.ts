import type { Contender } from "../contender.ts";
import { inFlight } from "../in-flight.ts";
import { all, atLeast, type Outcome, type Round, type Scenario, times } from "../scenario.ts";
import { jobs } from "./draining.ts";

const rate = { figure: "rate", unit: "adds/s", better: "higher" } as const;

async function measure(
  round: Round,
  add: (contender: Contender, count: number) => Promise<void>,
): Promise<Outcome> {
  const count = round.size.jobs ?? 0;
  const warm = round.size.warm ?? 0;
  const contender = await round.open();
  await add(contender, warm);
  const before = performance.now();
  await add(contender, count);
  const seconds = (performance.now() - before) / 1000;
  const stored = (await contender.unfinished()) - warm;
  await contender.close();
  return {
    figures: { rate: count / seconds },
    problems: stored === count ? [] : [`${stored} of ${count} stored`],
    settings: contender.settings,
  };
}

export const addOne = {
  name: "add-one",
  title: "Add one by one",
  measures: "Adds per second when each is awaited before the next. All must be in the store afterwards.",
  mode: "add",
  full: { jobs: 3_000, warm: 300 },
  quick: { jobs: 500, warm: 100 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 120,
  main: rate,
  targets: [
    {
      store: "postgres",
      text: "≥ 2.5 × pg-boss",
      reached: (ours, others) => atLeast(ours(), times(2.5, others.of("pg-boss"))),
    },
    { store: "sqlite", text: "≥ 5,000/s", reached: (ours) => atLeast(ours(), 5_000) },
  ],
  run: (round) => measure(round, (contender, count) => inFlight(count, 1, (n) => contender.addOne({ n }))),
} satisfies Scenario;

export const addInFlight = {
  name: "add-100",
  title: "100 adds in flight",
  measures:
    "Adds per second from 100 callers that each await their own. All must be in the store afterwards.",
  mode: "add",
  full: { jobs: 20_000, warm: 2_000 },
  quick: { jobs: 4_000, warm: 500 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 180,
  main: rate,
  targets: [
    {
      store: "postgres",
      text: "≥ 20,000/s and ≥ 10 × pg-boss",
      reached: (ours, others) =>
        all(atLeast(ours(), 20_000), atLeast(ours(), times(10, others.of("pg-boss")))),
    },
    { store: "sqlite", text: "≥ 40,000/s", reached: (ours) => atLeast(ours(), 40_000) },
  ],
  run: (round) => measure(round, (contender, count) => inFlight(count, 100, (n) => contender.addOne({ n }))),
} satisfies Scenario;

export const addBulk = {
  name: "add-bulk",
  title: "Bulk add",
  measures:
    "Jobs per second added in bulk, each queue with its own best chunk. All must be in the store afterwards.",
  mode: "add",
  full: { jobs: 50_000, warm: 5_000 },
  quick: { jobs: 10_000, warm: 2_000 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 120,
  main: rate,
  targets: [
    {
      store: "postgres",
      text: "≥ 1.2 × graphile-worker",
      reached: (ours, others) => atLeast(ours(), times(1.2, others.of("graphile-worker"))),
    },
    {
      store: "sqlite",
      text: "≥ 0.8 × plainjob",
      reached: (ours, others) => atLeast(ours(), times(0.8, others.of("plainjob"))),
    },
  ],
  run: (round) => measure(round, (contender, count) => contender.addBulk(jobs(count))),
} satisfies Scenario;

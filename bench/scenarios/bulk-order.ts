import { atMost, type Scenario } from "../scenario.ts";
import { drain, jobs } from "./draining.ts";

export default {
  name: "bulk-order",
  title: "Order of one key when all its jobs come in one bulk add",
  measures:
    "How often a job starts after a later one of the same key, over four bulk adds; every job must run exactly once.",
  mode: "keyed",
  full: { jobs: 2_000, repeats: 4 },
  quick: { jobs: 200, repeats: 4 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 60,
  main: { figure: "violations", unit: "out of order", better: "lower" },
  also: [{ figure: "overlaps", unit: "at the same time" }],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "0",
    reached: (ours) => atMost(ours(), 0),
  })),
  async run({ open, size }) {
    const count = size.jobs ?? 0;
    const contender = await open();
    const figures = { violations: 0, overlaps: 0 };
    const problems: string[] = [];
    // Repeats on the same store, because new rows fill the gaps of deleted ones and jobs of equal time come out in another
    // order.
    for (let repeat = 0; repeat < (size.repeats ?? 1); repeat++) {
      await contender.addBulk(jobs(count, 1));
      const { ledger } = await drain(contender, count, true);
      figures.violations += ledger.inversions;
      figures.overlaps += ledger.overlaps;
      problems.push(...ledger.countProblems());
    }
    await contender.close();
    return { figures, problems, settings: contender.settings };
  },
} satisfies Scenario;

import { type DrainAnswer, drainApart } from "../drain-process.ts";
import { atLeast, type Scenario } from "../scenario.ts";

const WITHIN = 0.95;
/** Each as often first as second, so that what a store has from the drains before costs both the same. */
const TURNS = [true, false, false, true];

export default {
  name: "minutes",
  title: "What the history by the minute costs",
  measures:
    "Jobs per second of a drain with the history, and of the same code without it, in turns on one store, each in a process of its own; `kept` is the first over the second. The history must have counted every job.",
  mode: "counted",
  full: { jobs: 100_000 },
  quick: { jobs: 10_000 },
  rounds: { full: 5, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "rate", unit: "jobs/s", better: "higher" },
  also: [
    { figure: "without", unit: "jobs/s without" },
    { figure: "kept", unit: "kept" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "≥ 0.95 of without",
    reached: (ours) => atLeast(ours("kept"), WITHIN),
  })),
  cited: (kind) => (kind.role === "ours" ? undefined : "it has no history"),
  async run({ kind, variant, place, size }) {
    const { jobs = 0 } = size;
    const drains: { hasHistory: boolean; answer: DrainAnswer }[] = [];
    for (const [n, hasHistory] of TURNS.entries()) {
      const order = { contender: kind.name, variant, mode: "counted", jobs, hasHistory } as const;
      const answer = await drainApart({ ...order, place: { ...place, queue: `${place.queue}-${n}` } });
      drains.push({ hasHistory, answer });
    }
    const rateOf = (wanted: boolean) => {
      const rates = drains.filter(({ hasHistory }) => hasHistory === wanted);
      // The same number of jobs in each: the mean of their times.
      return rates.length / rates.reduce((sum, { answer }) => sum + 1 / answer.rate, 0);
    };
    const problems = drains.flatMap(({ hasHistory, answer: { problems: found, counted } }) =>
      hasHistory && counted < jobs ? [...found, `the history counted ${counted} jobs`] : found,
    );
    return {
      figures: { rate: rateOf(true), without: rateOf(false), kept: rateOf(true) / rateOf(false) },
      problems,
      settings: drains[0]?.answer.settings ?? {},
    };
  },
} satisfies Scenario;

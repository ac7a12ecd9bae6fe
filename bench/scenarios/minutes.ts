import { type DrainAnswer, drainApart } from "../drain-process.ts";
import { median } from "../percentile.ts";
import { atLeast, type Scenario } from "../scenario.ts";

const WITHIN = 0.95;
/** Each kind runs first as often as second, so that rows left by earlier drains cost both the same. */
const PAIRS = 4;
const TURNS = Array.from({ length: PAIRS }, (_, n) => (n % 2 === 0 ? [true, false] : [false, true])).flat();

export default {
  name: "minutes",
  title: "What the history by the minute costs",
  measures:
    "Jobs per second of a drain with the history, and of the same code without it, in turns on one store, each in a process of its own. `kept` is the CPU time of a job without it over that with it, the median of four drains each and the database's server included: on a shared machine rates say how busy it was. The history must have counted every job.",
  mode: "counted",
  full: { jobs: 200_000 },
  quick: { jobs: 10_000 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 900,
  main: { figure: "rate", unit: "jobs/s", better: "higher" },
  also: [
    { figure: "without", unit: "jobs/s without" },
    { figure: "kept", unit: "kept" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "≥ 0.95 of without, by CPU time",
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
    const middle = (wanted: boolean, figure: (answer: DrainAnswer) => number) =>
      median(drains.flatMap((drain) => (drain.hasHistory === wanted ? [figure(drain.answer)] : [])));
    const rate = (wanted: boolean) => middle(wanted, (answer) => answer.rate);
    const cpu = (wanted: boolean) => middle(wanted, ({ cpuSeconds }) => cpuSeconds ?? Number.NaN);
    const byCpu = cpu(false) / cpu(true);
    const kept = Number.isNaN(byCpu) ? rate(true) / rate(false) : byCpu;
    const problems = drains.flatMap(({ hasHistory, answer: { problems: found, counted } }) =>
      hasHistory && counted < jobs ? [...found, `the history counted ${counted} jobs`] : found,
    );
    return {
      figures: { rate: rate(true), without: rate(false), kept },
      problems,
      settings: drains[0]?.answer.settings ?? {},
    };
  },
} satisfies Scenario;

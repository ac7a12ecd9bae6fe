import { setTimeout as sleep } from "node:timers/promises";
import { type Andon, open } from "andon";
import { median } from "../percentile.ts";
import { atLeast, type Scenario } from "../scenario.ts";
import { storeUrl } from "../store-url.ts";

const CRASHER = new URL("../poison/crashing-handler.ts", import.meta.url);
const PLACES = 16;
const EVERY_MS = 1_000;

export default {
  name: "poison",
  title: "The others' rate while poison is at work beside them",
  measures:
    "Jobs per second of handlers that take a millisecond, and `kept`: that rate over the rate without poison, the median of pairs. Poison comes every second in the same process: an isolated handler that takes its process down at each of its attempts, a megabyte, a NUL, and JSON of a thousand levels.",
  mode: "server",
  full: { jobs: 40_000, pairs: 5 },
  quick: { jobs: 4_000, pairs: 1 },
  rounds: { full: 1, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "kept", unit: "kept", better: "higher" },
  also: [
    { figure: "rate", unit: "jobs/s" },
    { figure: "crashes", unit: "crashes" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "the others' rate drops by ≤ 5 %",
    reached: (ours) => atLeast(ours("kept"), 0.95),
  })),
  async run({ kind, place, size }) {
    const andon = await open(storeUrl(kind.store, place));
    const jobs = size.jobs ?? 0;
    await rateOf(andon, "warm-up", Math.ceil(jobs / 4));
    const rates: number[] = [];
    const kept: number[] = [];
    let crashes = 0;
    for (let pair = 0; pair < (size.pairs ?? 1); pair++) {
      const alone = await rateOf(andon, `alone-${pair}`, jobs);
      const poison = await Poison.start(andon, `poison-${pair}`);
      const beside = await rateOf(andon, `beside-${pair}`, jobs);
      crashes += await poison.stop();
      rates.push(beside);
      kept.push(beside / alone);
    }
    await andon.close();
    return {
      figures: { kept: median(kept), rate: median(rates), crashes },
      problems: crashes === 0 ? ["no process crashed: nothing was measured"] : [],
      settings: { places: PLACES, poisonEveryMs: EVERY_MS },
    };
  },
} satisfies Scenario;

/** Jobs per second of handlers that take a millisecond. */
async function rateOf(andon: Andon, name: string, jobs: number): Promise<number> {
  const line = andon.queue<number>(name);
  await line.addMany(Array.from({ length: jobs }, (_, n) => n));
  const began = performance.now();
  const worker = await line.work(() => sleep(1), { places: PLACES });
  await line.drained();
  const seconds = (performance.now() - began) / 1_000;
  await worker.close();
  return jobs / seconds;
}

const HEAVY = ["x".repeat(999_000), "a\u0000b", nested(1_000)];

function nested(levels: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level++) value = [value];
  return value;
}

class Poison {
  readonly #stop: () => Promise<number>;

  private constructor(stop: () => Promise<number>) {
    this.#stop = stop;
  }

  /** With the default rules of a queue, except that a failure holds its lane. */
  static async start(andon: Andon, name: string): Promise<Poison> {
    const crashing = andon.queue<string>(`${name}-crash`, { onFinalFailure: "hold-lane" });
    const heavy = andon.queue<unknown>(`${name}-heavy`);
    const workers = [
      await crashing.work(CRASHER, { isolate: "process", places: 1 }),
      await heavy.work(() => {}, { places: 1 }),
    ];
    let isOver = false;
    const ids: string[] = [];
    const adding = (async () => {
      while (!isOver) {
        ids.push((await crashing.add("boom")).id);
        await heavy.addMany(HEAVY);
        await sleep(EVERY_MS);
      }
    })();
    return new Poison(async () => {
      isOver = true;
      await adding;
      for (const worker of workers) await worker.close();
      const jobs = await Promise.all(ids.map((id) => andon.job(id)));
      return jobs.reduce((sum, job) => sum + (job?.attempts ?? 0), 0);
    });
  }

  /** The number of attempts that crashed their process. */
  stop(): Promise<number> {
    return this.#stop();
  }
}

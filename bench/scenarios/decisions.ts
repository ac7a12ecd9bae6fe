import { setTimeout as sleep } from "node:timers/promises";
import { open, type Queue } from "andon";
import { percentile } from "../percentile.ts";
import { all, atMost, type Scenario } from "../scenario.ts";
import { storeUrl } from "../store-url.ts";

const BULK = 1_000;
const DECISION = { actor: "bench", reason: "measured" };
const LONGEST_WAIT_MS = 100;
const QUIET_MS = 10_000;

export default {
  name: "decisions",
  title: "Retry all and skip all of 200,000 failed jobs with keys of their own",
  measures:
    "Jobs per second that are retried, and skipped, by one decision each. `wait` and `other wait` are the 99th percentiles of how long an add to the same queue, and a failure in another queue, take meanwhile; `quiet` and `other quiet` are the same without a decision, on the same machine in the same minute.",
  mode: "server",
  full: { jobs: 200_000 },
  quick: { jobs: 2_000 },
  rounds: { full: 1, quick: 1 },
  timeoutSeconds: 1_800,
  main: { figure: "retried", unit: "jobs/s", better: "higher" },
  also: [
    { figure: "skipped", unit: "jobs/s" },
    { figure: "wait", unit: "ms p99 of an add" },
    { figure: "quiet", unit: "ms without a decision" },
    { figure: "otherWait", unit: "ms p99 of a failure elsewhere" },
    { figure: "otherQuiet", unit: "ms without a decision" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "others wait ≤ 100 ms at a time (p99)",
    reached: (ours) => all(atMost(ours("wait"), LONGEST_WAIT_MS), atMost(ours("otherWait"), LONGEST_WAIT_MS)),
  })),
  async run({ kind, place, size }) {
    const jobs = size.jobs ?? 0;
    const andon = await open(storeUrl(kind.store, place));
    const line = andon.queue<number>("line", { attempts: 1, onFinalFailure: "hold-lane" });
    const elsewhere = andon.queue<number>("elsewhere", { attempts: 1, onFinalFailure: "hold-lane" });
    const failing = await elsewhere.work(refuse, { places: 1 });
    const others = {
      // Delayed: this add takes the locks of the lane and the feed like any other, but its job does not run during the
      // measurement.
      add: () => line.add(-1, { key: "later", delay: "1h" }),
      fail: async () => {
        const { id } = await elsewhere.add(0);
        while ((await andon.job(id))?.state !== "failed") await sleep(1);
      },
    };
    const waits = { add: [] as number[], failure: [] as number[] };
    const quiet = { add: [] as number[], failure: [] as number[] };
    try {
      for (let from = 0; from < jobs; from += BULK)
        await line.addMany(
          Array.from({ length: Math.min(BULK, jobs - from) }, (_, n) => from + n),
          (n) => ({ key: `key-${n}` }),
        );
      await failAll(line, jobs);
      await beside(others, quiet, () => sleep(QUIET_MS, 0));
      const retried = await beside(others, waits, async () => (await line.retryAll(DECISION)).retried);
      await failAll(line, jobs);
      const skipped = await beside(
        others,
        waits,
        async () => (await line.skipAllAndResume(DECISION)).skipped,
      );
      const problems = [
        ...(retried.count === jobs ? [] : [`${retried.count} of ${jobs} were retried`]),
        ...(skipped.count === jobs ? [] : [`${skipped.count} of ${jobs} were skipped`]),
      ];
      return {
        figures: {
          retried: retried.rate,
          skipped: skipped.rate,
          wait: percentile(waits.add, 0.99),
          quiet: percentile(quiet.add, 0.99),
          otherWait: percentile(waits.failure, 0.99),
          otherQuiet: percentile(quiet.failure, 0.99),
        },
        problems,
        settings: { samples: waits.add.length },
      };
    } finally {
      await failing.close();
      await andon.close();
    }
  },
} satisfies Scenario;

function refuse(): never {
  throw new Error("refused");
}

async function failAll(queue: Queue<number>, jobs: number): Promise<void> {
  const worker = await queue.work(refuse, { places: 200 });
  while ((await queue.status()).counts.failed < jobs) await sleep(50);
  await worker.close();
}

interface Others {
  add(): Promise<unknown>;
  fail(): Promise<unknown>;
}

/** Carries out a decision while others add jobs to the queue and fail jobs in another queue. */
async function beside(
  others: Others,
  waits: { add: number[]; failure: number[] },
  decide: () => Promise<number>,
): Promise<{ count: number; rate: number }> {
  let isOver = false;
  const timed = async (into: number[], work: () => Promise<unknown>) => {
    while (!isOver) {
      const began = performance.now();
      await work();
      into.push(performance.now() - began);
      await sleep(5);
    }
  };
  const began = performance.now();
  const timing = [timed(waits.add, others.add), timed(waits.failure, others.fail)];
  const count = await decide();
  const rate = count / ((performance.now() - began) / 1_000);
  isOver = true;
  await Promise.all(timing);
  return { count, rate };
}

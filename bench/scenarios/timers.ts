import { setTimeout as sleep } from "node:timers/promises";
import { type Andon, open } from "andon";
import { percentile } from "../percentile.ts";
import { all, atLeast, atMost, type Scenario } from "../scenario.ts";
import { storeUrl } from "../store-url.ts";

const BULK = 1_000;
const KEYS = 1_000;
/** Longer than storing a bulk takes: a job that is due when it is added would be ready at once. */
const AHEAD_MS = 5_000;

export default {
  name: "timers",
  title: "1,000,000 jobs that become due at once",
  measures:
    "Jobs per second that are put in line by a process that works another queue, from the moment when all are due until none waits for its time; without keys, and with 1,000 keys. `step p99` is how long one transaction of it takes: others may have to wait for it.",
  mode: "server",
  full: { jobs: 1_000_000 },
  quick: { jobs: 20_000 },
  rounds: { full: 1, quick: 1 },
  timeoutSeconds: 1_800,
  main: { figure: "plain", unit: "jobs/s", better: "higher" },
  also: [
    { figure: "keyed", unit: "jobs/s, 1,000 keys" },
    { figure: "stepP99", unit: "ms p99 of a step" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "≥ 20,000/s, with keys ≥ 8,000/s, a step ≤ 100 ms p99",
    reached: (ours) =>
      all(atLeast(ours("plain"), 20_000), atLeast(ours("keyed"), 8_000), atMost(ours("stepP99"), 100)),
  })),
  async run({ kind, place, size }) {
    const url = storeUrl(kind.store, place);
    const steps: number[] = [];
    const jobs = size.jobs ?? 0;
    const plain = await promoted(url, steps, "plain", jobs, 0);
    const keyed = await promoted(url, steps, "keyed", jobs, KEYS);
    return {
      figures: { plain: plain.rate, keyed: keyed.rate, stepP99: percentile(steps, 0.99) },
      problems: [...plain.problems, ...keyed.problems],
      settings: { bulk: BULK, steps: steps.length },
    };
  },
} satisfies Scenario;

/** The rate at which due jobs become ready. No process promotes them until the worker starts. */
async function promoted(url: string, steps: number[], name: string, jobs: number, keys: number) {
  const andon = await open(url);
  timeSteps(andon, steps);
  const line = andon.queue<number>(name);
  let dueAt = 0;
  for (let from = 0; from < jobs; from += BULK) {
    dueAt = Date.now() + AHEAD_MS;
    const numbers = Array.from({ length: Math.min(BULK, jobs - from) }, (_, n) => from + n);
    await line.addMany(numbers, (n) => ({ runAt: dueAt, ...(keys > 0 ? { key: `key-${n % keys}` } : {}) }));
  }
  await sleep(Math.max(0, dueAt - Date.now()));
  const before = (await line.status()).counts.scheduled;
  const began = performance.now();
  const worker = await andon.queue(`beside-${name}`).work(() => {});
  let counts = (await line.status()).counts;
  for (; counts.scheduled > 0; counts = (await line.status()).counts) await sleep(20);
  const seconds = (performance.now() - began) / 1_000;
  await worker.close();
  await andon.close();
  const problems: string[] = [];
  if (before !== jobs) problems.push(`${jobs - before} of ${jobs} were due before they were stored`);
  if (counts.ready !== (keys || jobs)) problems.push(`${counts.ready} are ready`);
  if (counts.ready + counts.blocked !== jobs) problems.push(`${counts.blocked} are blocked`);
  return { rate: jobs / seconds, problems };
}

/** Records the duration of each transaction that promotes jobs. */
function timeSteps(andon: Andon, steps: number[]): void {
  const { store } = andon;
  const transaction = store.transaction.bind(store);
  store.transaction = async (verb, work, limitMs) => {
    const began = performance.now();
    const result = await transaction(verb, work, limitMs);
    if (verb === "promote") steps.push(performance.now() - began);
    return result;
  };
}

import { setTimeout as sleep } from "node:timers/promises";
import { type Ran, startFleetProcess } from "../fleet-process.ts";
import { all, atLeast, atMost, type Round, type Scenario } from "../scenario.ts";
import { storeUrl } from "../store-url.ts";

/** The most commits that a job may cost, by the number of processes that work its queue. */
const MOST_COMMITS = { 1: 4, 10: 5, 30: 6 };
const LEAST_SHARE = 0.8;
const PROCESSES = 30;
/** The places of each process, alone or in the fleet. */
const PLACES = 480;
const AT_ONCE = 1_000;

interface Counter {
  query(text: string): Promise<{ rows: { commits: number }[] }>;
}

export default {
  name: "fleet",
  title: "Many worker processes on one queue",
  measures: `\`commits\`: transactions per job that is added and done one at a time, as the server counts them, including the delivery of a notification to each process. \`kept\`: the rate at which ${PROCESSES} processes with ${PLACES} places each drain jobs over keys, as a share of the rate of one such process. There are enough jobs for each process to be warm. Checked: every job ran once, and the jobs of a key ran one at a time and in order.`,
  mode: "server",
  full: { singles: 500, jobs: 300_000, keys: 1_000 },
  quick: { singles: 100, jobs: 30_000, keys: 1_000 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 300,
  main: { figure: "kept", unit: "of one process's rate", better: "higher" },
  also: [
    { figure: "one", unit: "jobs/s, one" },
    { figure: "thirty", unit: "jobs/s, thirty" },
    { figure: "commits1", unit: "commits, one" },
    { figure: "commits10", unit: "commits, ten" },
    { figure: "commits30", unit: "commits, thirty" },
  ],
  targets: [
    {
      store: "postgres",
      text: `≥ ${LEAST_SHARE} of one process's rate; ≤ ${Object.values(MOST_COMMITS).join(" / ")} commits per job`,
      reached: (ours) =>
        all(
          atLeast(ours(), LEAST_SHARE),
          ...Object.entries(MOST_COMMITS).map(([count, most]) => atMost(ours(`commits${count}`), most)),
        ),
    },
  ],
  cited: (kind) => (kind.store === "postgres" ? undefined : "one machine, one file: no fleet"),
  async run({ place, size }: Round) {
    const { singles = 0, jobs = 0, keys = 1 } = size;
    const url = storeUrl("postgres", place);
    const { open } = await import("andon");
    const { pg } = await import("../peers/postgres-client.ts");
    const counter = new pg.Client(place.postgresUrl);
    await counter.connect();
    const andon = await open(url);
    const figures: Record<string, number> = {};
    const problems: string[] = [];
    for (const count of Object.keys(MOST_COMMITS).map(Number)) {
      const name = `singles-${count}`;
      const queue = andon.queue<number>(name);
      const fleet = await startFleet(url, name, count);
      await sleep(1_000);
      const before = await commitsOf(counter);
      for (let n = 0; n < singles; n++) await queue.add(n);
      await queue.drained();
      figures[`commits${count}`] = ((await commitsOf(counter)) - before) / singles;
      problems.push(...countProblems(await ended(fleet), singles));
    }
    for (const [figure, count] of [
      ["one", 1],
      ["thirty", PROCESSES],
    ] as const) {
      const name = `keys-${count}`;
      const queue = andon.queue<number>(name);
      await queue.stop({ actor: "bench", reason: "until all wait" });
      const numbers = Array.from({ length: jobs }, (_, n) => n);
      for (let from = 0; from < jobs; from += AT_ONCE)
        await queue.addMany(numbers.slice(from, from + AT_ONCE), (n) => ({ key: `key-${n % keys}` }));
      const fleet = await startFleet(url, name, count);
      const begun = performance.now();
      await queue.resume({ actor: "bench" });
      await queue.drained();
      figures[figure] = jobs / ((performance.now() - begun) / 1_000);
      const ran = await ended(fleet);
      problems.push(...countProblems(ran, jobs), ...orderProblems(ran, keys));
    }
    await andon.close();
    await counter.end();
    figures.kept = (figures.thirty ?? 0) / (figures.one ?? Number.NaN);
    return { figures, problems, settings: { places: PLACES, keys, processes: PROCESSES } };
  },
} satisfies Scenario;

function startFleet(url: string, queue: string, count: number) {
  return Promise.all(Array.from({ length: count }, () => startFleetProcess({ url, queue, places: PLACES })));
}

async function ended(fleet: Awaited<ReturnType<typeof startFleet>>): Promise<Ran[]> {
  return (await Promise.all(fleet.map((one) => one.end()))).flat();
}

/** The counter's own transactions are included: one per reading. */
async function commitsOf(counter: Counter): Promise<number> {
  // A connection reports its statistics after it has been idle for ten seconds.
  await sleep(11_000);
  const { rows } = await counter.query(
    "select xact_commit::float8 as commits from pg_stat_database where datname = current_database()",
  );
  return rows[0]?.commits ?? Number.NaN;
}

function countProblems(ran: readonly Ran[], jobs: number): string[] {
  const different = new Set(ran.map(([n]) => n)).size;
  if (different === jobs && ran.length === jobs) return [];
  return [`${different} of ${jobs} jobs ran, ${ran.length - different} more than once`];
}

function orderProblems(ran: readonly Ran[], keys: number): string[] {
  const last = new Map<number, Ran>();
  let wrong = 0;
  for (const one of ran.toSorted(([, a], [, b]) => a - b)) {
    const before = last.get(one[0] % keys);
    if (before && (before[0] > one[0] || before[2] > one[1])) wrong++;
    last.set(one[0] % keys, one);
  }
  return wrong > 0 ? [`${wrong} jobs out of order, or beside another of their key`] : [];
}

import type { PostgresServer } from "@andon/testkit";
import { Site, seeded } from "@andon/testkit/processes";
import { addOutcome, emptyOutcome, judgeDone, type Outcome } from "@andon/testkit/proof";
import type { Fault, FaultRun } from "../fault.ts";
import { sleep } from "../rounds.ts";

const PROCESSES = 3;
const LANES = 20;
const BATCH = 100;
const PATIENCE_MS = 120_000;
/** With a lease longer than any outage here, no worker loses its jobs, so no effect may occur twice. */
const rules = { lease: 60_000, sweep: 500, backoff: { delay: 10 } };

/** PostgreSQL restarts every 5 to 10 s, cleanly or after a crash; between restarts, connections are cut. */
export const restartedServer: Fault = {
  name: "restarts",
  shows: "PostgreSQL restarted every 5-10 s, connections cut: nothing lost, nothing doubled",
  kinds: ["postgres"],
  weight: 6,
  async run(run) {
    const server = await run.startServer();
    let site: Site | undefined;
    try {
      site = await Site.open("postgres", server.url);
      return await shake(site, server, run);
    } catch (error) {
      return { ...emptyOutcome(), rounds: 1, findings: [(error as Error).message] };
    } finally {
      await site?.close().catch(() => {});
    }
  },
};

async function shake(
  site: Site,
  server: PostgresServer,
  { seed, budgetMs, say }: FaultRun,
): Promise<Outcome> {
  const random = seeded(seed);
  const queue = "cut";
  const members = await site.spawn(PROCESSES);
  await Promise.all(members.map((member) => member.ask({ do: "work", queue, rules, places: 6 })));
  const adder = site.andon.queue<object>(queue, rules);
  const outcome = emptyOutcome();
  let n = 0;
  const add = async () => {
    const from = n;
    n += BATCH;
    const errands = Array.from({ length: BATCH }, (_, index) => ({
      n: from + index,
      ms: 2 + random.below(8),
      failures: random.below(20) === 0 ? 1 : 0,
      writes: random.below(4) === 0,
    }));
    // If the connection is cut, the add may or may not be stored; its idempotency key makes a repeat safe.
    await insist(site, () =>
      adder.addMany(errands, (_, index) => ({
        key: `lane-${(from + index) % LANES}`,
        idempotencyKey: String(from + index),
      })),
    );
  };
  const began = performance.now();
  while (outcome.rounds < 3 || performance.now() - began < budgetMs) {
    const until = performance.now() + 5_000 + random.below(5_000);
    while (performance.now() < until) {
      if (n - site.count("end", queue) < 3 * BATCH) await add();
      await sleep(200 + random.below(600));
      if (random.below(3) === 0) await cut(site);
    }
    const adding = add();
    if (random.below(3) === 0) await server.kill();
    await server.restart();
    await adding;
    outcome.rounds++;
    say(`restart ${outcome.rounds}, ${n} jobs`);
  }
  await site.until("every job ended", () => site.count("end", queue) >= n, PATIENCE_MS);
  await insist(site, () => site.counts(queue));
  await site.drained(queue, n, PATIENCE_MS);
  outcome.jobs = n;
  addOutcome(
    outcome,
    await judgeDone(
      site,
      queue,
      Array.from({ length: n }, (_, index) => index),
    ),
  );
  if (outcome.doubled > 0) outcome.findings.push(`${outcome.doubled} effects were doubled`);
  const [twice] = await site.query<{ count: number }>(
    "select count(*) - count(distinct job_id) as count from andon_test_effects",
  );
  if (Number(twice?.count) !== 0) outcome.findings.push("writes with a completion are doubled");
  const alive = members.filter(({ child }) => !child.stderr.includes("node:internal")).length;
  if (alive < PROCESSES) outcome.findings.push("a worker process ended by an error");
  return outcome;
}

/** Repeats a call until the store is available. */
async function insist<T>(site: Site, work: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!site.andon.store.isUnavailable(error) || performance.now() > deadline) throw error;
      await sleep(50);
    }
  }
}

/** Terminates the fleet's connections. This call's own connection may be among them. */
async function cut(site: Site): Promise<void> {
  const sql = `select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name like 'andon%' and pid <> pg_backend_pid()`;
  await site.query(sql).catch(() => {});
}

import { KINDS, type Member, type Site, seeded } from "@andon/testkit/processes";
import { addOutcome, contradictionsIn, emptyOutcome, judgeLedger, type Outcome } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds, sleep } from "../rounds.ts";

const FIVE_MINUTES = 300_000;
const PROCESSES = 3;
const PATIENCE_MS = 60_000;
const queue = "clocks";
const rules = { lease: 1_500, sweep: 300 };

/**
 * Wall clocks step by five minutes while jobs run and a schedule fires each second. On PostgreSQL the clock of one node steps
 * without any effect, because only the database's time counts. The processes of a SQLite store share one machine, whose clock
 * steps for all of them: due times that the clock skips fire late, and due times that it passes a second time do not fire
 * again.
 */
export const steppedClock: Fault = {
  name: "clocks",
  shows: "clock steps of ±5 min: each due time fires once, nobody is taken for dead",
  kinds: KINDS,
  weight: 2,
  run: (run) => playRounds(run, stepOften),
};

async function stepOften(site: Site, seed: number): Promise<Outcome> {
  const random = seeded(seed);
  const outcome = { ...emptyOutcome(), rounds: 1 };
  const fleet = await site.spawn(PROCESSES);
  await Promise.all(fleet.map((member) => member.ask({ do: "work", queue, rules, places: 4 })));
  const line = site.andon.queue<object>(queue, rules);
  let jobs = 0;
  const add = async () => {
    const errands = Array.from({ length: 20 }, () => ({ n: jobs++, ms: 20 + random.below(200) }));
    await line.addMany(errands, ({ n }: { n?: number }) => ({ key: `lane-${(n ?? 0) % 8}` }));
  };
  await site.andon.schedules.put({
    name: "each-second",
    queue,
    cron: "* * * * * *",
    timeZone: "America/New_York",
    missed: "all",
    payload: { n: 0 },
  });
  const due = async () => {
    const sql = "select run_at from andon_jobs where queue = $1 and run_at is not null order by run_at";
    return (await site.query<{ run_at: number }>(sql, [queue])).map(({ run_at }) => Number(run_at));
  };
  await site.until("it fires", async () => (await due()).length > 1, PATIENCE_MS);
  for (const step of [-FIVE_MINUTES, FIVE_MINUTES, FIVE_MINUTES, -FIVE_MINUTES]) {
    const stepped = site.kind === "sqlite" ? fleet : [fleet[random.below(PROCESSES)] as Member];
    await add();
    await sleep(random.below(500));
    await Promise.all(stepped.map((member) => member.ask({ do: "step-clock", ms: step })));
    await add();
    await site.until("work goes on", () => endsOfLanes(site) >= jobs, PATIENCE_MS);
    await sleep(1_500);
  }
  if (site.kind === "postgres") {
    const fired = (await due()).length;
    await site.until("it still fires", async () => (await due()).length > fired + 1, PATIENCE_MS);
  }
  await site.andon.schedules.deactivate("each-second", { actor: "operator" });
  const idle = async () => {
    const { running, ready, blocked, scheduled } = await site.counts(queue);
    return running + ready + blocked + scheduled === 0;
  };
  await site.until("all is done", idle, PATIENCE_MS);

  const times = await due();
  outcome.jobs = jobs + times.length;
  outcome.figures.dueTimes = times.length;
  outcome.figures.steps = 4;
  const gaps = times.slice(1).filter((at, index) => at - (times[index] ?? 0) !== 1_000);
  if (gaps.length > 0) outcome.findings.push(`${gaps.length} due times are missing or doubled`);
  if (site.kind === "sqlite" && times.length < FIVE_MINUTES / 1_000)
    outcome.findings.push(`only ${times.length} due times after a leap of five minutes`);
  const { done } = await site.counts(queue);
  outcome.lost = outcome.jobs - done;
  if (outcome.lost !== 0) outcome.findings.push(`${outcome.lost} jobs are not done`);
  addOutcome(outcome, judgeLedger(site.ledger.read(), queue));
  const lost = await site.query("select pos from andon_attempts where outcome = 'lost'");
  if (lost.length > 0) outcome.findings.push(`${lost.length} jobs were taken from the living`);
  outcome.findings.push(...(await contradictionsIn(site)));
  return outcome;
}

function endsOfLanes(site: Site): number {
  return site.ledger.read(queue).filter(({ what, keys }) => what === "end" && keys.length > 0).length;
}

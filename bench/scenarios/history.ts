import { Ledger } from "../ledger.ts";
import { atLeast, type Round, type Scenario } from "../scenario.ts";
import { storeUrl } from "../store-url.ts";
import { jobs, warmUp } from "./draining.ts";

const WITHIN = 0.8;
/** Rows per statement, limited because a caller's transaction may take five seconds. */
const AT_ONCE = 50_000;

/**
 * A third each: events of the feed, failed attempts, and claim log entries of another queue. Recent, so that no cleanup
 * deletes them during the measurement.
 */
const NOW = Date.now();
const FILL = [
  `insert into andon_events (type, at, queue, job_id, data) select 'jobs.done', ${NOW}, 'past', null, '{"done":1}' from n`,
  `insert into andon_attempts (pos, fence, number, outcome, worker, started_at, finished_at)
  select -(@from + i), 1, 1, 'failed', 'w', ${NOW}, ${NOW} from n`,
  `insert into andon_claim_log (queue, epoch, worker, at, claimed, done) select 'past', 1, 'w', ${NOW}, 1, 0 from n`,
];

export default {
  name: "history",
  title: "Claims beside millions of rows of history",
  measures:
    "Jobs per second of one worker beside rows of the feed, attempts and the claim log, and in the same round without them; `kept` is the first over the second.",
  mode: "drain",
  full: { counted: 50_000, rows: 20_000_000 },
  quick: { counted: 5_000, rows: 300_000 },
  rounds: { full: 3, quick: 1 },
  timeoutSeconds: 1_800,
  main: { figure: "rate", unit: "jobs/s", better: "higher" },
  also: [
    { figure: "alone", unit: "jobs/s without history" },
    { figure: "kept", unit: "kept" },
  ],
  targets: (["postgres", "sqlite"] as const).map((store) => ({
    store,
    text: "within 20 % of its own rate without history",
    reached: (ours) => atLeast(ours("kept"), WITHIN),
  })),
  cited: (kind) => (kind.role === "ours" ? undefined : "its history is its own"),
  async run(round) {
    const { counted = 0, rows = 0 } = round.size;
    await rate(round, "cold", counted);
    const alone = await rate(round, "alone", counted);
    await fill(round, rows);
    const beside = await rate(round, "beside", counted);
    return {
      figures: { rate: beside.rate, alone: alone.rate, kept: beside.rate / alone.rate },
      problems: [...alone.problems, ...beside.problems],
      settings: beside.settings,
    };
  },
} satisfies Scenario;

async function fill({ kind, place }: Round, rows: number): Promise<void> {
  const { open } = await import("andon");
  const andon = await open(storeUrl(kind.store === "sqlite" ? "sqlite" : "postgres", place));
  const each = Math.ceil(rows / FILL.length);
  for (const text of FILL)
    for (let from = 0; from < each; from += AT_ONCE) {
      const count = Math.min(AT_ONCE, each - from);
      const numbers = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`;
      await andon.transaction((tx) => tx.query(`${numbers} ${text.replace("@from", String(from))}`));
    }
  await andon.close();
}

async function rate({ open: contenderOf }: Round, queue: string, counted: number) {
  const contender = await contenderOf({ queue });
  await warmUp(contender);
  await contender.addBulk(jobs(counted));
  const ledger = new Ledger(counted);
  const before = performance.now();
  const working = await contender.work({}, (job) => ledger.start(job));
  await ledger.reached(counted);
  const seconds = (performance.now() - before) / 1000;
  await working.stop();
  const problems = ledger.countProblems(ledger.started);
  await contender.close();
  return { rate: counted / seconds, problems, settings: contender.settings };
}

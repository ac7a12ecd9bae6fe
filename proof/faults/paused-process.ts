import { isDeepStrictEqual } from "node:util";
import { type Errand, KINDS, type Member, type Site, seeded } from "@andon/testkit/processes";
import { contradictionsIn, emptyOutcome, type Outcome } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

const rules = { lease: 1_000, sweep: 300 };

/** The ways to write late. A blocked process sends its late write before it can notice that time has passed. */
const WAYS: Omit<Errand, "n">[] = [
  { ms: 2_000 },
  { block: 300 },
  { block: 300, writes: true },
  { block: 300, lateCheckpoint: true },
  { block: 300, failures: 9 },
  { block: 300, final: true },
];

/** SIGSTOP past the lease while another process finishes the jobs, then SIGCONT. */
export const pausedProcess: Fault = {
  name: "pauses",
  shows: "SIGSTOP past the lease, another finishes, SIGCONT: late writes refused 100 %",
  kinds: KINDS,
  weight: 2,
  run: (run) => playRounds(run, pauseOnce),
};

async function pauseOnce(site: Site, seed: number): Promise<Outcome> {
  const outcome = { ...emptyOutcome(), rounds: 1, jobs: WAYS.length };
  const random = seeded(seed);
  const queue = "late";
  const [late, other] = (await site.spawn(2)) as [Member, Member];
  await late.ask({ do: "work", queue, rules });
  const jobs = WAYS.map((errand, n) => ({ payload: { n, ...errand }, options: { key: `way-${n}` } }));
  const order = jobs.map((job) => ({ job, at: random.below(1_000) })).sort((a, b) => a.at - b.at);
  const added = await late.ask<{ id: string }[]>({ do: "add", queue, jobs: order.map(({ job }) => job) });
  await site.entry(({ what, pid }) => what === "start" && pid === late.pid, "late one started");
  late.signal("SIGSTOP");
  if (!(await isWritable(site))) {
    // SQLite has one writer. A process that is stopped inside a write keeps the file locked, so nobody can take over and no
    // write is late.
    late.signal("SIGCONT");
    outcome.figures.stoppedInsideAWrite = 1;
    return outcome;
  }
  await other.ask({ do: "work", queue, rules, quick: true });
  await site.drained(queue, jobs.length);
  await other.ask({ do: "leave", queue });
  const facts = () =>
    Promise.all(
      added.map(async ({ id }) => ({ job: await site.andon.job(id), tries: await site.andon.attempts(id) })),
    );
  const before = await facts();
  const mine = () => site.ledger.read(queue).filter(({ pid }) => pid === late.pid);
  const startedByLate = new Set(mine().flatMap(({ what, job }) => (what === "start" ? [job] : [])));

  late.signal("SIGCONT");
  const settled = () => {
    const ended = mine().filter(({ what }) => what === "end" || what === "threw" || what === "refused");
    return new Set(ended.map(({ job }) => job)).size >= startedByLate.size;
  };
  await site.until("every late handler has settled", settled);
  // The process works again, and every earlier write of it has been answered.
  await late.ask({ do: "add", queue, jobs: [{ payload: { n: 100 } }] });
  await site.drained(queue, jobs.length + 1);

  const after = await facts();
  const changed = before.filter((fact, index) => !isDeepStrictEqual(fact, after[index]));
  for (const { job } of changed)
    outcome.findings.push(`a late write of job ${JSON.stringify(job?.payload)} counted`);
  const effects = await site.query<{ pid: number }>("select pid from andon_test_effects");
  if (effects.some(({ pid }) => pid === late.pid)) outcome.findings.push("a late commit was written");
  outcome.figures.lateWrites = startedByLate.size;
  outcome.figures.refused = startedByLate.size - changed.length;
  outcome.findings.push(...(await contradictionsIn(site)));
  return outcome;
}

async function isWritable(site: Site): Promise<boolean> {
  try {
    await site.query("delete from andon_test_effects where pid = -1");
    return true;
  } catch {
    return false;
  }
}

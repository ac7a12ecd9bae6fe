import { KINDS, type Member, type Site, seeded } from "@andon/testkit/processes";
import { addOutcome, emptyOutcome, judgeDone, type Outcome } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds } from "../rounds.ts";

const PROCESSES = 4;
const JOBS = 1_500;
const STOPPED_JOBS = 20;
const LANES = 40;
const PATIENCE_MS = 120_000;
const queue = "rolling";
const stopped = "standing";
const operator = { actor: "operator", reason: "proof" };

/** Sends SIGTERM to one working process after another, and replaces each by a new one. */
export const rollingRestart: Fault = {
  name: "rolling",
  shows: "SIGTERM rolling restart under load: nothing lost or charged, a stop stays a stop",
  kinds: KINDS,
  weight: 2,
  run: (run) => playRounds(run, rollOnce),
};

async function rollOnce(site: Site, seed: number): Promise<Outcome> {
  const random = seeded(seed);
  const outcome = { ...emptyOutcome(), rounds: 1, jobs: JOBS + STOPPED_JOBS };
  const work = async (member: Member) => {
    await member.ask({ do: "work", queue, places: 4 });
    await member.ask({ do: "work", queue: stopped, places: 2 });
  };
  const standing = site.andon.queue<object>(stopped);
  await standing.stop(operator);
  await standing.addMany(Array.from({ length: STOPPED_JOBS }, (_, n) => ({ n })));
  const line = site.andon.queue<object>(queue);
  await line.addMany(
    Array.from({ length: JOBS }, (_, n) => ({ n, ms: 2 + random.below(15) })),
    () => ({ key: `lane-${random.below(LANES)}` }),
  );
  const fleet = await site.spawn(PROCESSES);
  await Promise.all(fleet.map(work));
  for (let turn = 0; turn < PROCESSES; turn++) {
    const reached = Math.floor((JOBS / (PROCESSES + 1)) * turn + random.below(JOBS / (PROCESSES + 1)));
    await site.until("at work", () => site.count("end", queue) >= reached, PATIENCE_MS);
    const leaving = fleet.shift() as Member;
    const { code } = await leaving.child.kill("SIGTERM");
    if (code !== 0) outcome.findings.push(`a process left with ${code}\n${leaving.child.stderr}`);
    const fresh = await site.spawn(1);
    await Promise.all(fresh.map(work));
    fleet.push(...fresh);
  }
  await site.drained(queue, JOBS, PATIENCE_MS);
  const started = site.count("start", stopped);
  if (started > 0) outcome.findings.push(`${started} jobs of a stopped queue were started`);
  await standing.resume(operator);
  await site.drained(stopped, STOPPED_JOBS, PATIENCE_MS);

  const numbers = (count: number) => Array.from({ length: count }, (_, n) => n);
  addOutcome(outcome, await judgeDone(site, queue, numbers(JOBS)));
  addOutcome(outcome, await judgeDone(site, stopped, numbers(STOPPED_JOBS)));
  const charged = await site.query("select pos from andon_jobs where attempts > 0 or stalled > 0");
  if (charged.length > 0) outcome.findings.push(`${charged.length} jobs were charged for a restart`);
  if (outcome.doubled > 0) outcome.findings.push(`${outcome.doubled} effects were doubled`);
  outcome.figures.restarts = PROCESSES;
  return outcome;
}

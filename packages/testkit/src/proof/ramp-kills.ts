import type { QueueRulesInput } from "@andon/contract";
import type { Queue } from "@andon/engine";
import { type SeededRandom, seeded } from "../processes/seeded.ts";
import type { Member, Site } from "../processes/site.ts";
import { contradictionsIn } from "./judge.ts";
import { emptyOutcome, type Outcome } from "./outcome.ts";

export interface RampPlan {
  /** Queues that the same processes ramp. */
  readonly queues: number;
  readonly seed: number;
  readonly patience?: number;
}

interface RampedQueue {
  readonly line: Queue;
  /** The job that finds the destination down. */
  readonly bad: number;
  readonly badId: string;
}

const rules: QueueRulesInput = { lease: 2_500, sweep: 500, maxStalled: 100, timeout: "1h", probe: true };
const JOBS = 30;
const WAVES = [1, 3, 9];
const RAMPED = WAVES.reduce((sum, wave) => sum + wave, 0);
const KIM = { actor: "kim" };
const WORKERS = 3;

/**
 * Two operators resume queues in waves at once, and one of them is killed; workers are killed too, and one job of each
 * queue finds its destination down. No job beyond the wave of that job may start, and no attempt is charged.
 */
export async function rampKills(site: Site, { queues, seed, patience }: RampPlan): Promise<Outcome> {
  const random = seeded(seed);
  const workers = await site.spawn(WORKERS);
  const [kim, lee] = (await site.spawn(2)) as [Member, Member];
  const ramped: RampedQueue[] = [];
  for (let index = 0; index < queues; index++)
    ramped.push(await stoppedQueue(site, kim, `ramp-${index}`, random));
  const workAll = async (member: Member) => {
    for (const { line } of ramped) await member.ask({ do: "work", queue: line.name, rules, places: 4 });
  };
  await Promise.all(workers.map(workAll));

  const operatorDies = random.below(queues);
  const workerDies = random.below(queues * 2);
  const outcome = { ...emptyOutcome(), rounds: 1, jobs: queues * JOBS, figures: { ramps: queues } };
  let replacing: Promise<unknown> | undefined;
  for (const [index, { line }] of ramped.entries()) {
    const asked = (index <= operatorDies ? [kim, lee] : [kim]).map((member) => resume(member, line.name));
    const answered = Promise.allSettled(asked);
    if (index === operatorDies) {
      await site.crash(lee);
      outcome.kills++;
    }
    if (index === workerDies) {
      const [victim] = workers.splice(random.below(workers.length), 1);
      await site.crash(victim as Member);
      outcome.kills++;
      replacing = site.spawn(1).then((replaced) => Promise.all(replaced.map(workAll)));
    }
    await answered;
    await asked[0];
  }
  await replacing;

  for (const queue of ramped) {
    const { line } = queue;
    const isStill = async () => {
      const { state, counts } = await line.status();
      return state === "stopped" && counts.running === 0;
    };
    await site.until(`${line.name} stops, and nothing of it runs`, isStill, patience);
    outcome.findings.push(...(await judgeRamp(site, queue)).map((text) => `${line.name}: ${text}`));
  }
  outcome.findings.push(...(await contradictionsIn(site)));
  return outcome;
}

function resume(operator: Member, queue: string): Promise<unknown> {
  return operator.ask({ do: "call", queue, rules, verb: "resume", args: [KIM, { ramp: { waves: WAVES } }] });
}

async function stoppedQueue(
  site: Site,
  adder: Member,
  name: string,
  random: SeededRandom,
): Promise<RampedQueue> {
  const bad = random.below(RAMPED);
  const line = site.andon.queue(name, rules);
  await line.stop(KIM);
  const jobs = Array.from({ length: JOBS }, (_, n) => ({
    payload: { n, ms: 1 + random.below(15), sick: n === bad ? 1_000 : 0 },
  }));
  const added = await adder.ask<{ id: string }[]>({ do: "add", queue: name, rules, jobs });
  return { line, bad, badId: added[bad]?.id as string };
}

async function judgeRamp(site: Site, { line, bad, badId }: RampedQueue): Promise<string[]> {
  const found: string[] = [];
  const { counts, stopReason, stopJobId, ramp } = await line.status();
  if (stopReason !== "RAMP_FAILED" || stopJobId !== badId || ramp !== null)
    found.push(`stopped for ${stopReason} by ${stopJobId}, ramp ${JSON.stringify(ramp)}`);
  const ramps = (await line.stops()).items.filter(({ reason }) => reason === "RAMP_FAILED").length;
  const starts = site.ledger.read(line.name).filter(({ what }) => what === "start");
  const beyond = [...new Set(starts.map(({ n }) => n))].filter((n) => n >= reachOf(bad, ramps));
  if (beyond.length > 0) found.push(`job ${bad} failed, and beyond its wave started ${beyond}`);
  if (counts.ready + counts.done !== JOBS)
    found.push(`not every job is done or in line: ${JSON.stringify(counts)}`);
  const job = await site.andon.job(badId);
  if (job?.state !== "ready" || job.attempts !== 0)
    found.push(`the job that failed is ${job?.state} with ${job?.attempts} attempts`);
  return found;
}

/**
 * The end of the wave that contains a job. An operator who resumes after the stop starts another ramp, and that job is
 * in one of its waves again.
 */
function reachOf(bad: number, ramps: number): number {
  let end = 0;
  for (const wave of WAVES) {
    end += wave;
    if (bad < end) break;
  }
  return end + (ramps - 1) * Math.max(...WAVES);
}

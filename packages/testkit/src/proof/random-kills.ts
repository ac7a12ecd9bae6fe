import type { QueueRulesInput } from "@andon/contract";
import { seeded } from "../processes/seeded.ts";
import type { Member, Site } from "../processes/site.ts";
import { judgeDone } from "./judge.ts";
import { addOutcome, emptyOutcome, type Outcome } from "./outcome.ts";

export interface KillPlan {
  readonly jobs: number;
  readonly kills: number;
  readonly seed: number;
  readonly processes?: number;
  /** Per process. */
  readonly places?: number;
  readonly patience?: number;
}

const LANES = 40;
const STEPS = 3;
const rules: QueueRulesInput = {
  lease: 1_000,
  sweep: 300,
  maxStalled: 100,
  backoff: { type: "fixed", delay: 30 },
};

/** Jobs over lanes, and workers that are killed at random moments and replaced, until all jobs are done. */
export async function randomKills(site: Site, plan: KillPlan): Promise<Outcome> {
  const { jobs, kills, seed, processes = 4, places = 2, patience } = plan;
  const random = seeded(seed);
  const queue = "killed";
  const work = (member: Member) => member.ask({ do: "work", queue, rules, places });
  const fleet = await site.spawn(processes);
  await Promise.all(fleet.map(work));
  const errands = Array.from({ length: jobs }, (_, n) => ({
    n,
    ms: 1 + random.below(8),
    ...(n % 10 === 0 ? { steps: STEPS } : {}),
    ...(n % 25 === 3 ? { failures: 1 } : {}),
    ...(n % 12 === 5 ? { writes: true } : {}),
  }));
  const adder = site.andon.queue<object>(queue, rules);
  await adder.addMany(errands, () => ({ key: `lane-${random.below(LANES)}` }));

  const share = jobs / (kills + 1);
  const ends = () => site.count("end");
  for (let kill = 1; kill <= kills; kill++) {
    const reached = Math.floor(share * (kill - 1) + random.below(share));
    await site.until(`${reached} ended`, () => ends() >= reached, patience);
    const [victim] = fleet.splice(random.below(fleet.length), 1) as [Member];
    await site.crash(victim);
    const replaced = await site.spawn(1);
    await Promise.all(replaced.map(work));
    fleet.push(...replaced);
  }
  await site.drained(queue, jobs, patience);

  const outcome = { ...emptyOutcome(), rounds: 1, jobs, kills };
  addOutcome(
    outcome,
    await judgeDone(
      site,
      queue,
      errands.map(({ n }) => n),
    ),
  );
  outcome.findings.push(...(await doubledWrites(site)), ...repeatedTooOften(site, kills));
  return outcome;
}

/** A write that commits with the completion is never doubled, whichever process is killed. */
async function doubledWrites(site: Site): Promise<string[]> {
  const sql = "select job_id from andon_test_effects group by job_id having count(*) > 1";
  const rows = await site.query(sql);
  return rows.length === 0 ? [] : [`${rows.length} writes with a completion are doubled`];
}

function repeatedTooOften(site: Site, kills: number): string[] {
  const times = new Map<number, number>();
  for (const { what, n } of site.ledger.read()) if (what === "end") times.set(n, (times.get(n) ?? 0) + 1);
  const most = Math.max(...times.values()) - 1;
  return most <= kills ? [] : [`one effect was doubled ${most} times by ${kills} kills`];
}

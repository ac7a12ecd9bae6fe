import type { QueueRulesInput } from "@andon/contract";
import type { Entry } from "../processes/ledger.ts";
import { seeded } from "../processes/seeded.ts";
import type { Member, Site } from "../processes/site.ts";
import { judgeDone } from "./judge.ts";
import { addOutcome, emptyOutcome, type Outcome } from "./outcome.ts";
import type { KillPlan } from "./random-kills.ts";

const STAGES = ["one", "two", "three", "four", "five"];
const queue = "staged";
const rules: QueueRulesInput = {
  lease: 1_000,
  sweep: 300,
  maxStalled: 100,
  stages: STAGES.map((name) => ({ name, concurrency: 1 })),
};
const MOST_NAMED = 5;

/** Jobs of five stages, each limited to one job over the fleet; workers are killed at random and replaced. */
export async function stageKills(site: Site, plan: KillPlan): Promise<Outcome> {
  const { jobs, kills, seed, processes = 4, places = 5, patience } = plan;
  const random = seeded(seed);
  const work = (member: Member) => member.ask({ do: "work", queue, rules, places });
  const fleet = await site.spawn(processes);
  await Promise.all(fleet.map(work));
  const numbers = Array.from({ length: jobs }, (_, n) => n);
  await site.andon.queue<object>(queue, rules).addMany(numbers.map((n) => ({ n, writes: n % 50 === 7 })));
  const share = (jobs * STAGES.length) / (kills + 1);
  for (let kill = 1; kill <= kills; kill++) {
    const reached = Math.floor(share * (kill - 1) + random.below(share));
    await site.until(`${reached} stages ended`, () => site.count("end") >= reached, patience);
    const [victim] = fleet.splice(random.below(fleet.length), 1) as [Member];
    await site.crash(victim);
    const replaced = await site.spawn(1);
    await Promise.all(replaced.map(work));
    fleet.push(...replaced);
  }
  await site.drained(queue, jobs, patience);
  const outcome = { ...emptyOutcome(), rounds: 1, jobs, kills };
  addOutcome(outcome, await judgeDone(site, queue, numbers));
  const entries = site.ledger.read();
  outcome.findings.push(
    ...beyondLimit(entries),
    ...missingStages(entries, jobs),
    ...(await doubledWrites(site)),
  );
  outcome.figures.stages = jobs * STAGES.length;
  return outcome;
}

/** A running stage begins with its start and ends with its end, or with the death of its process. */
function beyondLimit(entries: readonly Entry[]): string[] {
  const atWork = new Map<string, Map<string, number>>();
  const found: string[] = [];
  for (const { what, job, pid, queue: of } of entries) {
    if (what === "killed")
      for (const runs of atWork.values())
        for (const [run, worker] of runs) if (worker === pid) runs.delete(run);
    if (of !== queue || (what !== "start" && what !== "end")) continue;
    const stage = job.slice(job.indexOf(" ") + 1);
    const runs = atWork.get(stage) ?? new Map<string, number>();
    atWork.set(stage, runs);
    if (what === "end") runs.delete(job);
    else {
      runs.set(job, pid);
      if (runs.size > 1) found.push(`${stage}: ${[...runs.keys()].join(" beside ")}`);
    }
  }
  return found.length === 0
    ? []
    : [`beyond the limit of a stage, ${found.length} times: ${found.slice(0, MOST_NAMED).join("; ")}`];
}

function missingStages(entries: readonly Entry[], jobs: number): string[] {
  const ended = new Set(
    entries.filter((entry) => entry.queue === queue && entry.what === "end").map(({ job }) => job),
  );
  return ended.size === jobs * STAGES.length ? [] : [`${ended.size} of ${jobs * STAGES.length} stages ran`];
}

/** A write that commits with the step to the next stage happens once per stage, whichever process is killed. */
async function doubledWrites(site: Site): Promise<string[]> {
  const sql = "select job_id from andon_test_effects group by job_id having count(*) <> $1";
  const rows = await site.query(sql, [STAGES.length]);
  return rows.length === 0 ? [] : [`${rows.length} jobs have another number of writes than of stages`];
}

import { KINDS, type Member, seeded } from "@andon/testkit/processes";
import { addOutcome, emptyOutcome, judgeDone, percentile } from "@andon/testkit/proof";
import type { Fault } from "../fault.ts";
import { playRounds, sleep } from "../rounds.ts";

const PROCESSES = 8;
const KILLED_AT_ONCE = 4;
const WAVES = 5;
const LANES = 96;
const TARGET_MS = 15_000;
const PATIENCE_MS = 120_000;

/** Measures how long the jobs of a killed worker wait until they run again, with the default lease and sweep. */
export const recoveryTime: Fault = {
  name: "recovery",
  shows: "default lease and sweep: jobs of a killed worker run again, p99 < 15 s",
  kinds: KINDS,
  weight: 4,
  run: (run) =>
    playRounds(run, async (site, seed) => {
      const random = seeded(seed);
      const queue = "recovery";
      // Every wave may hit the same job, which must not end as STALLED here.
      const rules = { maxStalled: 100 };
      const work = (member: Member) => member.ask({ do: "work", queue, rules, places: 4 });
      const fleet = await site.spawn(PROCESSES);
      await Promise.all(fleet.map(work));
      const adder = site.andon.queue<object>(queue, rules);
      let n = 0;
      const topUp = async () => {
        while (n - site.count("end") < 120) {
          const errands = Array.from({ length: 60 }, () => ({ n: n++, ms: 300 + random.below(900) }));
          await adder.addMany(errands, ({ n: number }: { n?: number }) => ({
            key: `lane-${(number ?? 0) % LANES}`,
          }));
        }
      };
      await topUp();
      for (let wave = 0; wave < WAVES; wave++) {
        await sleep(500 + random.below(1_500));
        const victims = fleet.splice(0, KILLED_AT_ONCE);
        await Promise.all(victims.map((victim) => site.crash(victim)));
        const replaced = await site.spawn(KILLED_AT_ONCE);
        await Promise.all(replaced.map(work));
        fleet.push(...replaced);
        const dead = new Set(victims.map(({ pid }) => pid));
        await site.until(
          "what the dead left runs again",
          async () => {
            await topUp();
            const workers = await site.andon.workers();
            const rows = await site.andon.store.read.runningOf({});
            const alive = new Set(workers.filter(({ pid }) => !dead.has(pid)).map(({ id }) => id));
            return rows.every(({ worker }) => alive.has(worker));
          },
          PATIENCE_MS,
        );
      }
      await site.drained(queue, n, PATIENCE_MS);
      const outcome = { ...emptyOutcome(), rounds: 1, jobs: n, kills: WAVES * KILLED_AT_ONCE };
      addOutcome(
        outcome,
        await judgeDone(
          site,
          queue,
          Array.from({ length: n }, (_, index) => index),
        ),
      );
      const p99 = percentile(outcome.recoveries, 0.99) ?? 0;
      if (outcome.recoveries.length < 20) outcome.findings.push("fewer than 20 jobs were left by the dead");
      if (p99 >= TARGET_MS) outcome.findings.push(`recovery p99 ${Math.round(p99)} ms`);
      return outcome;
    }),
};

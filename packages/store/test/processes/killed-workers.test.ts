import {
  inversions,
  isLong,
  KINDS,
  type Member,
  overlaps,
  Site,
  seeded,
  startedAgain,
} from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

/*
 * Worker processes are killed at random moments and replaced. A job may run again only if the process that ran it
 * before was killed; a job with checkpoints continues from the last one.
 */
const PROCESSES = { postgres: 4, sqlite: 3 };
const PLACES = 4;
const LANES = 24;
const KILLS = isLong ? 30 : 4;
const JOBS = isLong ? 6_000 : 600;
const STEPS = 3;
/** Long enough that a busy machine's worker does not lose its lease. */
const rules = { lease: 2_500, sweep: 500, maxStalled: 100 };
/**
 * Far above lease + sweep, so that a slow machine does not fail; far below the recovery of a job that was really lost.
 */
const RECOVERY_US = 20_000_000;

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: kill -9 of workers loses nothing, keeps every lane's order and leaves nothing running",
  { timeout: isLong ? 900_000 : 120_000 },
  async (kind) => {
    const random = seeded(testSeed());
    const place = await Site.open(kind);
    site = place;
    const queue = "killed";
    const work = (member: Member) => member.ask({ do: "work", queue, rules, places: PLACES });
    const fleet = await place.spawn(PROCESSES[kind]);
    await Promise.all(fleet.map(work));
    const jobs = Array.from({ length: JOBS }, (_, n) => ({
      payload: { n, ms: 4 + random.below(12), steps: n % 5 === 0 ? STEPS : 0 },
      options: { key: `lane-${random.below(LANES)}` },
    }));
    await fleet[0]?.ask({ do: "add", queue, rules, jobs });

    const share = JOBS / (KILLS + 1);
    for (let kill = 1; kill <= KILLS; kill++) {
      const reached = Math.floor(share * (kill - 1) + random.below(share));
      await place.until(`${reached} ended`, () => endsOf(place, queue) >= reached);
      const [victim] = fleet.splice(random.below(fleet.length), 1);
      await place.crash(victim as Member);
      const replaced = await place.spawn(1);
      await Promise.all(replaced.map(work));
      fleet.push(...replaced);
    }
    await place.drained(queue, JOBS);

    const entries = place.ledger.read();
    const killed = new Map(entries.filter(({ what }) => what === "killed").map(({ pid, at }) => [pid, at]));
    expect(killed.size).toBe(KILLS);
    expect(new Set(entries.filter(({ what }) => what === "end").map(({ n }) => n)).size).toBe(JOBS);
    expect(inversions(entries)).toEqual([]);
    expect(overlaps(entries)).toEqual([]);

    for (const [n, starts] of startedAgain(entries)) {
      for (const [index, start] of starts.slice(0, -1).entries()) {
        const diedAt = killed.get(start.pid);
        expect(diedAt, `job ${n} ran again although its process was alive`).toBeDefined();
        expect((starts[index + 1]?.at ?? 0) - (diedAt ?? 0)).toBeLessThan(RECOVERY_US);
      }
    }
    expectStepsOnce(entries);
    await place.until(
      "dead workers are forgotten",
      async () => (await place.andon.workers()).length === fleet.length,
    );
  },
);

function endsOf(place: Site, queue: string): number {
  return place.ledger.read(queue).filter((entry) => entry.what === "end").length;
}

/** A step is repeated only by another run of the job, and no step before one that was taken later is repeated. */
function expectStepsOnce(entries: ReturnType<Site["ledger"]["read"]>): void {
  const steps = new Map<number, { step: number; pid: number }[]>();
  for (const { what, n, pid, detail } of entries) {
    if (what === "step") steps.set(n, [...(steps.get(n) ?? []), { step: Number(detail), pid }]);
  }
  expect(steps.size).toBe(JOBS / 5);
  for (const [n, taken] of steps) {
    expect(new Set(taken.map(({ step }) => step)).size, `steps of job ${n}`).toBe(STEPS);
    taken.slice(1).forEach(({ step, pid }, index) => {
      const before = taken[index] as { step: number; pid: number };
      if (before.pid === pid) expect(step).toBe(before.step + 1);
      else expect([before.step, before.step + 1]).toContain(step);
    });
  }
}

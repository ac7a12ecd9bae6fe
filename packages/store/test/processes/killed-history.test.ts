import { isLong, KINDS, type Member, Site, seeded } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

/*
 * Worker processes are killed at random moments and replaced, among them whoever keeps house and merges the counts. The
 * history's sums are the counts all the same: they come from what commits with the jobs.
 */
const KILLS = isLong ? 50 : 3;
const JOBS = isLong ? 8_000 : 400;
const rules = { lease: 2_500, sweep: 500, maxStalled: 100, attempts: 3, backoff: { delay: 20 } };

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: the sums of the history are the counts after kill -9 of workers",
  { timeout: isLong ? 900_000 : 120_000 },
  async (kind) => {
    const random = seeded(testSeed());
    const place = await Site.open(kind);
    site = place;
    const queue = "counted";
    const began = Date.now();
    const work = (member: Member) => member.ask({ do: "work", queue, rules, places: 6 });
    const fleet = await place.spawn(3);
    await Promise.all(fleet.map(work));
    const jobs = Array.from({ length: JOBS }, (_, n) => ({
      payload: { n, ms: 4 + random.below(12), failures: n % 7 === 0 ? 1 : 0 },
    }));
    await fleet[0]?.ask({ do: "add", queue, rules, jobs });
    for (let kill = 1; kill <= KILLS; kill++) {
      const reached = Math.floor((JOBS * kill) / (KILLS + 1));
      const ends = () => place.ledger.read(queue).filter(({ what }) => what === "end").length;
      await place.until(`${reached} ended`, () => ends() >= reached);
      const [victim] = fleet.splice(random.below(fleet.length), 1);
      await place.crash(victim as Member);
      const replaced = await place.spawn(1);
      await Promise.all(replaced.map(work));
      fleet.push(...replaced);
    }
    await place.drained(queue, JOBS);

    const [attempts] = await place.query<{ failed: number }>(
      "select count(*) as failed from andon_attempts where outcome in ('failed', 'uncharged')",
    );
    const line = place.andon.queue(queue, rules);
    const hasTimes = async () =>
      (await line.history({ from: began - 60_000, step: "1m" })).points.some(({ runP50 }) => runP50 !== null);
    // Times are written some seconds after the jobs they tell of; the counts commit with the jobs.
    await place.until("the run times of a living process are written", hasTimes);
    for (const step of ["1m", "1h"] as const) {
      const { points } = await line.history({ from: began - 60_000, step });
      const sum = (member: "added" | "done" | "failed" | "attemptsFailed") =>
        points.reduce((total, point) => total + point[member], 0);
      expect({ step, added: sum("added"), done: sum("done"), failed: sum("failed") }).toEqual({
        step,
        added: JOBS,
        done: JOBS,
        failed: 0,
      });
      expect(sum("attemptsFailed")).toBe(Number(attempts?.failed));
      const runTimes = points.flatMap(({ runP50 }) => (runP50 === null ? [] : [runP50]));
      expect(Math.max(...runTimes)).toBeGreaterThan(0);
    }
  },
);

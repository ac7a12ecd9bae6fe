import { isLong, KINDS, overlaps, Site } from "@andon/testkit/processes";
import { strikeAt } from "@andon/testkit/proof";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

const JOBS = isLong ? 10_000 : 60;
const STAGES = ["script", "image", "video"];

let site: Site | undefined;
afterEach(async () => {
  await site?.close();
  site = undefined;
});

test.for(KINDS)(
  "%s: a stage limited to one job never runs two over three processes, while one of them is killed",
  { timeout: isLong ? 600_000 : 90_000 },
  async (kind) => {
    const place = await Site.open(kind);
    site = place;
    const queue = "film";
    const rules = { lease: 1_000, sweep: 300, stages: STAGES.map((name) => ({ name, concurrency: 1 })) };
    const members = await place.spawn(3);
    const jobs = Array.from({ length: JOBS }, (_, n) => ({ payload: { n, ms: n % 3 } }));
    await members[0]?.ask({ do: "add", queue, rules, jobs });
    await Promise.all(members.map((member) => member.ask({ do: "work", queue, rules, places: 4 })));
    const victim = members[1];
    await place.until("some are done", async () => (await place.counts(queue)).done > JOBS / 4);
    if (victim) await place.crash(victim);
    await place.drained(queue, JOBS);

    const entries = place.ledger.read(queue).filter((entry) => entry.pid !== victim?.pid);
    const ended = new Set(place.ledger.read(queue).flatMap(({ what, job }) => (what === "end" ? job : [])));
    expect(overlaps(entries, ({ job }) => [stageOf(job)])).toEqual([]);
    expect(ended.size).toBe(JOBS * STAGES.length);
  },
);

function stageOf(run: string): string {
  return run.split(" ")[1] ?? "";
}

/** One point of each kind; `npm run proof` covers all of them. */
const STRUCK = [
  { verb: "advance", moment: "before-commit" },
  { verb: "park", moment: "before-commit" },
  { verb: "arrive", moment: "after-commit" },
  { verb: "rolled-back", moment: "after-commit" },
] as const;

test.for(KINDS)(
  "%s: a crash between stages, while parking or during a roll-back leaves no job stuck",
  { timeout: 120_000 },
  async (kind) => {
    const seed = testSeed();
    const todo = [...STRUCK];
    const findings: string[] = [];
    const strike = async () => {
      for (let point = todo.shift(); point; point = todo.shift())
        findings.push(...(await strikeAt(kind, point, seed)).findings);
    };
    await Promise.all([strike(), strike(), strike()]);
    expect(findings).toEqual([]);
  },
);

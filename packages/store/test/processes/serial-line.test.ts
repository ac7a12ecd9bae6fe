import { isLong, KINDS, overlaps, Site, seeded } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

const JOBS = isLong ? 2_000 : 120;

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: a serial line worked by two processes runs one job at a time, in order, and waits out every back-off",
  { timeout: isLong ? 300_000 : 60_000 },
  async (kind) => {
    const random = seeded(testSeed());
    const place = await Site.open(kind);
    site = place;
    const queue = "serial";
    const rules = { mode: "serial" as const, backoff: { type: "fixed" as const, delay: 25 } };
    const members = await place.spawn(2);
    await Promise.all(members.map((member) => member.ask({ do: "work", queue, rules })));

    // Both processes add in turn while both work; each add is answered before the next, so the order is known.
    const failures = Array.from({ length: JOBS }, () => (random.below(10) === 0 ? 1 + random.below(2) : 0));
    for (let from = 0; from < JOBS; from += 10) {
      const jobs = failures.slice(from, from + 10).map((times, index) => ({
        payload: { n: from + index, ms: random.below(3), failures: times },
      }));
      await members[(from / 10) % 2]?.ask({ do: "add", queue, rules, jobs });
    }
    await place.drained(queue, JOBS);

    const entries = place.ledger.read(queue);
    const expected = failures.flatMap((times, n) => Array.from({ length: times + 1 }, () => n));
    expect(entries.filter((entry) => entry.what === "start").map((entry) => entry.n)).toEqual(expected);
    expect(overlaps(entries, () => ["the line"])).toEqual([]);
    // The next start comes no sooner than the back-off delay after the failure.
    entries.forEach((entry, index) => {
      if (entry.what === "threw") expect((entries[index + 1]?.at ?? 0) - entry.at).toBeGreaterThan(20_000);
    });
  },
);

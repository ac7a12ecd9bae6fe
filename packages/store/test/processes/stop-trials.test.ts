import type { QueueRulesInput } from "@andon/contract";
import { isLong, KINDS, type Member, Site, seeded } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";
import { testSeed } from "./test-seed.ts";

/*
 * A job fails finally while two processes work at full speed: no claim may commit after the stop. Checked by the
 * engine's claim log, and by the handlers' own ledger, which is read again after all trials, so that a late start in
 * any of them shows.
 */
const TRIALS = isLong ? 1_000 : 30;
const JOBS = 120;

/** Each way to claim must hold: single statement, with lanes, with a limit, serial. */
const SHAPES: { rules: QueueRulesInput; lanes: number }[] = [
  { rules: {}, lanes: 0 },
  { rules: {}, lanes: 25 },
  { rules: { concurrency: 6 }, lanes: 0 },
  { rules: { mode: "serial" }, lanes: 0 },
  { rules: { concurrency: 9 }, lanes: 40 },
];

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: no claim commits after the stop, in any process",
  { timeout: isLong ? 1_200_000 : 90_000 },
  async (kind) => {
    const random = seeded(testSeed());
    const place = await Site.open(kind);
    site = place;
    const members = await place.spawn(2);
    const started = new Map<string, number[]>();
    for (let trial = 0; trial < TRIALS; trial++) {
      const queue = `trial-${trial}`;
      // The long form uses 2 to 16 places over the fleet, the short one 16.
      const places = isLong ? 1 + (trial % 8) : 8;
      await runTrial(place, members, queue, trial, places, random.below(JOBS - 40) + 20);
      started.set(queue, startsOf(place, queue));
    }
    const leaked = [...started].filter(([queue, before]) => startsOf(place, queue).length > before.length);
    expect(leaked).toEqual([]);
  },
);

async function runTrial(
  place: Site,
  members: Member[],
  queue: string,
  trial: number,
  places: number,
  failing: number,
): Promise<void> {
  const { rules, lanes } = SHAPES[trial % SHAPES.length] as (typeof SHAPES)[number];
  const stopping = { ...rules, attempts: 1, onFinalFailure: "stop-queue" as const };
  await Promise.all(members.map((member) => member.ask({ do: "work", queue, rules: stopping, places })));
  const jobs = Array.from({ length: JOBS }, (_, n) => ({
    payload: { n, ms: rules.mode === "serial" ? 0 : n % 3, final: n === failing },
    options: lanes > 0 ? { key: `lane-${n % lanes}` } : {},
  }));
  await members[trial % members.length]?.ask({ do: "add", queue, jobs });
  const isStopped = async () => {
    const [row, counts] = [await place.andon.store.read.queue(queue), await place.counts(queue)];
    return row?.state === "stopped" && counts.running === 0;
  };
  await place.until(`${queue} stopped`, isStopped);
  await Promise.all(members.map((member) => member.ask({ do: "leave", queue })));

  const { items } = await place.andon.store.read.stops(queue, 1, 10);
  expect(items.length).toBe(1);
  const verdict = await place.andon.verifyStop(items[0]?.id as string);
  expect(verdict).toMatchObject({ holds: true, violations: [] });
  const entries = await place.query<{ id: number; started: string }>(
    "select id, started from andon_claim_log where queue = $1 and claimed > 0 order by id",
    [queue],
  );
  expect(entries.at(-1)?.id).toBe(verdict.certificate.lastClaim);
  const claimed = entries.flatMap((turn) => turn.started.split(",").map(Number));
  const [first] = await place.query<{ pos: number }>(
    "select min(pos) as pos from andon_jobs where queue = $1",
    [queue],
  );
  const byNumber = (a: number, b: number) => a - b;
  const claimedNumbers = claimed.map((pos) => pos - (first?.pos ?? 0)).sort(byNumber);
  expect(startsOf(place, queue).sort(byNumber)).toEqual(claimedNumbers);
  const counts = await place.counts(queue);
  expect(counts).toMatchObject({ failed: 1, done: claimed.length - 1, running: 0 });
  expect(counts.ready + counts.blocked).toBe(JOBS - claimed.length);
}

function startsOf(place: Site, queue: string): number[] {
  const starts = place.ledger.read(queue).filter((entry) => entry.what === "start");
  return starts.map((entry) => entry.n);
}

import { inversions, KINDS, type Member, overlaps, Site, startedAgain } from "@andon/testkit/processes";
import { afterEach, expect, test } from "vitest";

const JOBS = 300;
const LONG_JOBS = 3;

let site: Site | undefined;
afterEach(() => site?.close());

test.for(KINDS)(
  "%s: SIGTERM under load ends the process with 0; its jobs are finished or handed back without charging an attempt",
  { timeout: 60_000 },
  async (kind) => {
    const place = await Site.open(kind);
    site = place;
    const queue = "shutdown";
    const [first, second] = (await place.spawn(2)) as [Member, Member];
    await first.ask({ do: "work", queue, places: 8, grace: 300 });
    // The long jobs run until they are aborted, so only the process that is to end may take them.
    const long = Array.from({ length: LONG_JOBS }, (_, index) => ({
      payload: { n: JOBS + index, untilAborted: true },
      options: { priority: 1 },
    }));
    const short = Array.from({ length: JOBS }, (_, n) => ({
      payload: { n, ms: 5 + (n % 20) },
      options: { key: `lane-${n % 30}` },
    }));
    await first.ask({ do: "add", queue, jobs: [...long, ...short] });
    await place.until("all long ones wait", () => {
      const starts = place.ledger.read(queue).filter(({ what, n }) => what === "start" && n >= JOBS);
      return starts.length === LONG_JOBS;
    });
    await second.ask({ do: "work", queue, places: 8 });
    await place.entry((entry) => entry.pid === second.pid && entry.what === "end", "both at work");

    first.signal("SIGTERM");
    expect(await first.child.exited).toEqual({ code: 0, signal: null });
    await place.drained(queue, JOBS + LONG_JOBS);
    second.signal("SIGTERM");
    expect(await second.child.exited).toEqual({ code: 0, signal: null });

    const entries = place.ledger.read(queue);
    const short1 = entries.filter(({ n }) => n < JOBS);
    expect(inversions(short1)).toEqual([]);
    expect(overlaps(short1)).toEqual([]);
    // 5 to 25 ms is well within the grace, so only the long ones were handed back.
    const again = startedAgain(entries);
    expect([...again.keys()].sort()).toEqual(long.map(({ payload }) => payload.n));
    for (const starts of again.values())
      expect(starts.map(({ pid }) => pid)).toEqual([first.pid, second.pid]);
    const charged = await place.query("select pos from andon_jobs where attempts > 0 or stalled > 0");
    expect(charged).toEqual([]);
    const outcomes = await place.query<{ outcome: string }>("select outcome from andon_attempts");
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(long.map(() => "handed-back"));
    expect(await place.andon.workers()).toEqual([]);
  },
);

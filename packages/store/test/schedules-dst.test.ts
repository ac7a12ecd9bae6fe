import { type Bench, describeOn } from "@andon/testkit/conformance";
import { expect } from "vitest";
import { STORE_KINDS } from "./conformance/store-kinds.ts";

interface Change {
  readonly what: string;
  readonly timeZone: string;
  /** The moment of the clock change, or any moment of a day without one. */
  readonly change: string;
  readonly cron: string;
  readonly dues: readonly string[];
}

/** Expressions for fixed times fire once a day, whatever the clock does. */
const CHANGES: readonly Change[] = [
  {
    what: "New York leaps over 02:30",
    timeZone: "America/New_York",
    change: "2031-03-09T07:00Z",
    cron: "30 2 * * *",
    dues: ["2031-03-08T07:30Z", "2031-03-09T07:00Z", "2031-03-10T06:30Z"],
  },
  {
    what: "New York shows 01:30 twice",
    timeZone: "America/New_York",
    change: "2031-11-02T06:00Z",
    cron: "30 1 * * *",
    dues: ["2031-11-01T05:30Z", "2031-11-02T05:30Z", "2031-11-03T06:30Z"],
  },
  {
    what: "Lord Howe leaps over 02:15, by half an hour",
    timeZone: "Australia/Lord_Howe",
    change: "2031-10-04T15:30Z",
    cron: "15 2 * * *",
    dues: ["2031-10-03T15:45Z", "2031-10-04T15:30Z", "2031-10-05T15:15Z"],
  },
  {
    what: "Lord Howe shows 01:45 twice, half an hour apart",
    timeZone: "Australia/Lord_Howe",
    change: "2031-04-05T15:00Z",
    cron: "45 1 * * *",
    dues: ["2031-04-04T14:45Z", "2031-04-05T14:45Z", "2031-04-06T15:15Z"],
  },
  {
    what: "Berlin leaps over 02:30",
    timeZone: "Europe/Berlin",
    change: "2031-03-30T01:00Z",
    cron: "30 2 * * *",
    dues: ["2031-03-29T01:30Z", "2031-03-30T01:00Z", "2031-03-31T00:30Z"],
  },
  {
    what: "Berlin shows 02:30 twice",
    timeZone: "Europe/Berlin",
    change: "2031-10-26T01:00Z",
    cron: "30 2 * * *",
    dues: ["2031-10-25T00:30Z", "2031-10-26T00:30Z", "2031-10-27T01:30Z"],
  },
  {
    what: "Berlin leaps over one of several hours",
    timeZone: "Europe/Berlin",
    change: "2031-03-30T01:00Z",
    cron: "30 2,14 * * *",
    dues: [
      "2031-03-29T01:30Z",
      "2031-03-29T13:30Z",
      "2031-03-30T01:00Z",
      "2031-03-30T12:30Z",
      "2031-03-31T00:30Z",
    ],
  },
  {
    what: "Berlin shows one of every second hour twice",
    timeZone: "Europe/Berlin",
    change: "2031-10-26T01:00Z",
    cron: "0 */12,2 26 10 *",
    dues: ["2031-10-25T22:00Z", "2031-10-26T00:00Z", "2031-10-26T11:00Z"],
  },
  {
    what: "Seoul has no change",
    timeZone: "Asia/Seoul",
    change: "2031-03-30T01:00Z",
    cron: "30 2 * * *",
    dues: ["2031-03-28T17:30Z", "2031-03-29T17:30Z", "2031-03-30T17:30Z"],
  },
];

/** Expressions for every hour follow elapsed time, through both halves of a repeated hour. */
const PASSING: readonly Change[] = [
  {
    what: "New York repeats an hour",
    timeZone: "America/New_York",
    change: "2031-11-02T06:00Z",
    cron: "*/30 * * * *",
    dues: [
      "2031-11-02T05:00Z",
      "2031-11-02T05:30Z",
      "2031-11-02T06:00Z",
      "2031-11-02T06:30Z",
      "2031-11-02T07:00Z",
    ],
  },
  {
    what: "Berlin leaves an hour out",
    timeZone: "Europe/Berlin",
    change: "2031-03-30T01:00Z",
    cron: "0 * * * *",
    dues: ["2031-03-29T23:00Z", "2031-03-30T00:00Z", "2031-03-30T01:00Z", "2031-03-30T02:00Z"],
  },
  {
    what: "Lord Howe repeats half an hour",
    timeZone: "Australia/Lord_Howe",
    change: "2031-04-05T15:00Z",
    cron: "*/15 * * * *",
    dues: ["2031-04-05T14:45Z", "2031-04-05T15:00Z", "2031-04-05T15:15Z", "2031-04-05T15:30Z"],
  },
];

const iso = (at: number | null) => new Date(at ?? 0).toISOString().replace(":00.000Z", "Z");
const MINUTE = 60_000;

async function fired(bench: Bench, { timeZone, cron, dues }: Change, stepMs: number): Promise<string[]> {
  const ran: string[] = [];
  const [from, until] = [Date.parse(dues[0] as string) - 1, Date.parse(dues.at(-1) as string)];
  bench.clock.setWallClockBy(from - bench.clock.now());
  await bench.andon.schedules.put({ name: "s", queue: "line", cron, timeZone, missed: "all" });
  await bench.queue().work((job) => void ran.push(iso(job.runAt)), { places: 1 });
  while (bench.clock.now() < until + 1_000) {
    bench.clock.setWallClockBy(Math.min(stepMs, until - bench.clock.now()));
    await bench.pass(1_000);
  }
  // A changed clock is noticed at the next look at the store, which comes within ten seconds in an idle fleet.
  await bench.pass(10_000);
  return ran;
}

describeOn(STORE_KINDS, "schedules when clocks change", (it) => {
  for (const change of [...CHANGES, ...PASSING]) {
    it(`${change.what}: each due time fires once`, async (bench) => {
      expect(await fired(bench, change, change.cron.includes("*/") ? 10 * MINUTE : 97 * MINUTE)).toEqual(
        change.dues,
      );
    });
  }

  it("computes the same due times from any moment", async (bench) => {
    for (const { timeZone, change } of CHANGES) {
      const [from, until] = [Date.parse(change) - 150 * MINUTE, Date.parse(change) + 150 * MINUTE];
      for (const cron of ["*/20 * * * *", "17 * * * *", "*/20 0-4 * * *", "17 1,2,3 * * *", "10 */2 * * *"]) {
        const all = await dueTimes(bench, cron, timeZone, from, until);
        expect(all).toEqual([...new Set(all)].sort((a, b) => a - b));
        for (let at = from; at < until; at += 7 * MINUTE + 1_234) {
          bench.clock.setWallClockBy(at - bench.clock.now());
          const expected = all.find((due) => due > at);
          if (expected === undefined) continue;
          // Parsed expressions are cached by text: with other blanks the same expression is parsed again.
          const anew = cron.replace(" ", " ".repeat(2 + (at % 97)));
          for (const text of [anew, cron]) {
            const [next] = await bench.andon.schedules.preview({ cron: text, timeZone }, 1);
            expect([cron, timeZone, iso(at), next]).toEqual([cron, timeZone, iso(at), expected]);
          }
        }
      }
    }
  });
});

async function dueTimes(
  bench: Bench,
  cron: string,
  timeZone: string,
  from: number,
  until: number,
): Promise<number[]> {
  bench.clock.setWallClockBy(from - bench.clock.now());
  const shown = await bench.andon.schedules.preview({ cron, timeZone }, 30);
  return shown.filter((due) => due <= until);
}

import type { Clock } from "@andon/engine";
import { expect, test } from "vitest";
import type { Session } from "../dialect.ts";
import { DatabaseClock } from "./clock.ts";

const EPOCH = 1_800_000_000_000;

/** A database clock that may step, with a travel time in each direction that the test sets. */
function world() {
  let at = 0;
  const way = { there: 1, back: 1 };
  const database = { ahead: EPOCH };
  const local = { now: () => 0, monotonic: () => at, after: () => () => {} } satisfies Clock;
  const session = {
    all: async () => {
      at += way.there;
      const now = Math.floor(at + database.ahead);
      at += way.back;
      return [{ now }];
    },
  } as unknown as Session;
  return { local, session, way, database, pass: (ms: number) => (at += ms), time: () => at + database.ahead };
}

test("a slow answer does not move the time", async () => {
  const { local, session, way, pass, time } = world();
  const clock = await DatabaseClock.open(session, local);
  for (const [there, back] of [
    [600, 1],
    [1, 900],
    [300, 300],
  ] as const) {
    Object.assign(way, { there, back });
    pass(3_000);
    await clock.sync();
    expect(Math.abs(clock.now() - time())).toBeLessThanOrEqual(3);
  }
});

test("a slow first answer is corrected by the next fast one", async () => {
  const { local, session, way, time } = world();
  Object.assign(way, { there: 800, back: 1 });
  const clock = await DatabaseClock.open(session, local);
  Object.assign(way, { there: 1, back: 1 });
  await clock.sync();
  expect(Math.abs(clock.now() - time())).toBeLessThanOrEqual(3);
});

test.each([5_000, -5_000])("the clock follows a step of the database's clock by %i ms", async (step) => {
  const { local, session, database, time } = world();
  const clock = await DatabaseClock.open(session, local);
  database.ahead += step;
  await clock.sync();
  expect(Math.abs(clock.now() - time())).toBeLessThanOrEqual(3);
});

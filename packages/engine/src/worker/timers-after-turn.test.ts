import { parseQueueRules } from "@andon/contract";
import { expect, test } from "vitest";
import { type Clock, systemClock } from "../ports/clock.ts";
import type { Claim } from "../ports/store.ts";
import { Execution, type ExecutionPorts, type Outcome } from "./execution.ts";
import type { Handler } from "./handler.ts";
import { TimersAfterTurn } from "./timers-after-turn.ts";

/** Runs handlers with a clock that counts its timers; `now` is its monotonic time. */
function process() {
  const counted = { timers: 0, now: 0 };
  const clock: Clock = {
    ...systemClock,
    monotonic: () => counted.now,
    after: (ms, callback) => {
      counted.timers++;
      return systemClock.after(ms, callback);
    },
  };
  const ports = { clock, timers: new TimersAfterTurn() } as unknown as ExecutionPorts;
  const queue = { name: "line", rules: parseQueueRules("line", { timeout: 50, settleGrace: 1 }), hooks: {} };
  const run = (handler: Handler<never>) =>
    new Promise<Outcome>((ended) => {
      new Execution({ job: {} } as Claim, queue, ports).run(handler, ended);
    });
  return { counted, run };
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test("a handler that settles in the turn in which it starts has no timer", async () => {
  const { counted, run } = process();
  const outcomes = await Promise.all([1, 2, 3].map((n) => run(async () => n)));
  expect(outcomes.map((outcome) => outcome.kind)).toEqual(["done", "done", "done"]);
  await nextTurn();
  expect(counted.timers).toBe(0);
});

test("a handler that outlasts its turn is aborted after its timeout", async () => {
  const { counted, run } = process();
  const endless = run(() => new Promise(() => {}));
  await nextTurn();
  expect(counted.timers).toBe(1);
  expect(await endless).toMatchObject({ kind: "aborted", cause: "timeout" });
});

test("the timeout counts from the start of the handler, however long the turn was", async () => {
  const { counted, run } = process();
  const endless = run(() => new Promise(() => {}));
  counted.now = 50;
  await nextTurn();
  expect(await endless).toMatchObject({ kind: "aborted", cause: "timeout" });
  // The timer of the grace, and none for the timeout itself.
  expect(counted.timers).toBe(1);
});

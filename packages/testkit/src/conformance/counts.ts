import { JOB_STATES } from "@andon/contract";
import { DestinationDown, Snooze } from "@andon/engine";
import { expect } from "vitest";
import { checkConsistency } from "./check-consistency.ts";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** Random numbers that are the same in every run, so that a failure can be repeated. */
function dice(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** The counts are exact after every kind of event, and so are all other facts that the tables store twice. */
export function describeCounts(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "counts", (it) => {
    it("equal a recount after every step of a long random sequence", async (bench) => {
      const queue = bench.queue<number>({
        attempts: 2,
        backoff: { type: "fixed", delay: 400 },
        onFinalFailure: (_, job) => policies[job.name.length % 4] ?? "auto",
      });
      const policies = ["hold-lane", "skip", "cancel-rest", "stop-queue"] as const;
      const roll = dice(20_310_506);
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 5 });
      const ids: string[] = [];
      const key = () => `k${roll(4)}`;
      const anyId = () => ids[roll(ids.length)] as string;
      const steps: Record<string, () => Promise<unknown>> = {
        add: async () =>
          void ids.push(
            (await queue.add(roll(100), { keys: [key(), key()], name: "n".repeat(1 + roll(4)) })).id,
          ),
        addPlain: async () => void ids.push((await queue.add(roll(100), { priority: roll(3) })).id),
        addLater: async () =>
          void ids.push((await queue.add(roll(100), { key: key(), delay: 100 + roll(900) })).id),
        succeed: async () => manual.takeOpen()?.succeed(roll(9)),
        fail: async () => manual.takeOpen()?.fail(new Error("no")),
        failOutside: async () => manual.takeOpen()?.fail(new DestinationDown("away")),
        snooze: async () => manual.takeOpen()?.fail(new Snooze(200)),
        cancel: () => queue.cancel(anyId(), KIM),
        retry: () => queue.retry(anyId(), KIM),
        retryAll: () => queue.retryAll(KIM),
        skip: () => queue.skip(anyId(), KIM),
        skipWithRest: () => queue.skipWithRest(anyId(), KIM),
        runNow: () => queue.runNow(anyId(), KIM),
        hold: () => queue.hold(key(), KIM),
        release: () => queue.release(key(), KIM),
        cancelRest: () => queue.cancelRest(key(), KIM),
        stop: () => (roll(3) ? Promise.resolve() : queue.stop(KIM)),
        resume: () => queue.resume(KIM),
        skipAll: () => (roll(4) ? Promise.resolve() : queue.skipAllAndResume(KIM)),
        pass: () => bench.pass(50 + roll(400)),
      };
      const names = Object.keys(steps);
      await steps.add?.();
      const refused = new Set<string>();
      for (let step = 0; step < 120; step++) {
        const name = names[roll(names.length)] as string;
        await steps[name]?.().catch((error: { code?: string }) => refused.add(error.code ?? String(error)));
        await bench.settled();
        await checkConsistency(bench.andon);
      }
      for (const code of refused)
        expect(["JOB_STATE", "LANE_NOT_FOUND", "LANE_HELD_BY_FAILURE"]).toContain(code);
      expect(bench.errors).toEqual([]);
      const { counts } = await queue.status();
      const reached = JOB_STATES.filter((state) => counts[state] > 0);
      expect(reached).toEqual(expect.arrayContaining(["done", "cancelled"]));
      expect(JOB_STATES.reduce((sum, state) => sum + counts[state], 0)).toBe(ids.length);
    });

    it("stay exact when many workers merge them at once", async (bench) => {
      const queue = bench.queue<number>();
      const others = await Promise.all([bench.another(), bench.another()]);
      await queue.work(() => {});
      await Promise.all(Array.from({ length: 60 }, (_, n) => queue.add(n, { key: `k${n % 5}` })));
      await bench.passUntil("all are done", async () => {
        await Promise.all([bench.store.compact(), ...others.map((andon) => andon.store.compact())]);
        return (await queue.status()).counts.done === 60;
      });
      expect((await queue.status()).counts).toMatchObject({ ready: 0, blocked: 0, running: 0, done: 60 });
    });
  });
}

import { DestinationDown, Snooze } from "@andon/engine";
import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** Resuming a queue in waves. */
export function describeRamp(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "ramped resume", (it) => {
    it("starts the next wave when every job of this one has ended, and then opens", async (bench) => {
      const queue = bench.queue<number>({ timeout: "1h" });
      const manual = bench.manualHandler();
      await queue.stop(KIM);
      await queue.addMany(numbers(10));
      await queue.work(manual.handler, { places: 20 });
      await queue.resume(KIM, { ramp: { waves: [1, 3] } });
      const first = await manual.take();
      await bench.pass(2_000);
      expect(manual.started).toEqual([0]);
      expect((await queue.status()).ramp).toEqual({ wave: 1, waves: [1, 3], started: 1, done: 0, failed: 0 });
      first.succeed();
      const second = await manual.takeMany(3);
      await bench.pass(2_000);
      expect(manual.started).toEqual([0, 1, 2, 3]);
      second[0]?.succeed();
      second[2]?.succeed();
      await bench.pass(2_000);
      expect(manual.started).toHaveLength(4);
      expect(await queue.status()).toMatchObject({
        state: "open",
        ramp: { wave: 2, waves: [1, 3], started: 3, done: 2, failed: 0 },
      });
      second[1]?.succeed();
      await eventually("the others start", () => manual.started.length === 10);
      expect(await queue.status()).toMatchObject({ state: "open", ramp: null });
    });

    it("stops at the first failed attempt, which is not charged and keeps its place", async (bench) => {
      const queue = bench.queue<number>({ attempts: 3, timeout: "1h", probe: true });
      const manual = bench.manualHandler();
      await queue.stop(KIM);
      const jobs = await queue.addMany(numbers(8));
      await queue.work(manual.handler, { places: 20 });
      await queue.resume(KIM, { ramp: { waves: [3, 5] } });
      const [a, b, c] = await manual.takeMany(3);
      b?.fail(new DestinationDown("away"));
      await bench.passUntil("it stops", async () => (await queue.status()).state === "stopped");
      a?.succeed();
      await bench.passUntilState(jobs[0]?.id as string, "done");
      c?.fail(new Error("broken too"));
      await bench.passUntil("it has ended", async () => (await queue.status()).counts.running === 0);
      await bench.pass(60_000);
      expect(manual.started).toEqual([0, 1, 2]);
      expect(await queue.status()).toMatchObject({
        state: "stopped",
        stopReason: "RAMP_FAILED",
        stopJobId: jobs[1]?.id,
        degradedAt: null,
        ramp: null,
      });
      expect(await bench.job(jobs[1]?.id as string)).toMatchObject({ state: "ready", attempts: 0 });
      expect(await bench.andon.attempts(jobs[1]?.id as string)).toMatchObject([{ outcome: "uncharged" }]);
      const actions = (await bench.andon.audit()).items.map(({ action, after }) => ({ action, after }));
      expect(actions).toContainEqual({
        action: "queue.resume",
        after: expect.objectContaining({ ramp: [3, 5] }),
      });
      expect(actions.some(({ action }) => action === "queue.stop")).toBe(true);
      manual.letGo();
      await queue.resume(KIM);
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 8);
      expect(manual.started.slice(3, 4)).toEqual([1]);
    });

    it("ends with a pause, and a resume without waves opens fully", async (bench) => {
      const queue = bench.queue<number>({ timeout: "1h" });
      const manual = bench.manualHandler();
      await queue.stop(KIM);
      await queue.addMany(numbers(6));
      await queue.work(manual.handler, { places: 20 });
      await queue.resume(KIM, { ramp: true });
      const first = await manual.take();
      expect(await queue.resume(KIM, { ramp: true })).toMatchObject({ changed: false });
      expect(await queue.stop(KIM)).toMatchObject({ changed: true });
      first.succeed();
      await bench.pass(5_000);
      expect(manual.started).toEqual([0]);
      expect(await queue.status()).toMatchObject({ state: "stopped", ramp: null });
      await queue.resume(KIM, { ramp: true });
      await manual.take();
      expect(await queue.resume(KIM)).toMatchObject({ changed: true });
      await eventually("all start", () => manual.started.length === 6);
      expect((await queue.status()).ramp).toBeNull();
      expect(await queue.resume(KIM, { ramp: true })).toMatchObject({ changed: false });
    });

    it("opens when no job waits any more, even if its wave is not full", async (bench) => {
      const queue = bench.queue<number>();
      await queue.stop(KIM);
      await queue.addMany(numbers(5));
      await queue.work(() => {});
      await queue.resume(KIM, { ramp: true });
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 5);
      await bench.passUntil("it is open", async () => (await queue.status()).ramp === null);
      expect((await queue.status()).state).toBe("open");
    });

    it("keeps a snoozed job in its wave, without counting it again", async (bench) => {
      const queue = bench.queue<number>();
      const started: number[] = [];
      let hasSnoozed = false;
      await queue.stop(KIM);
      await queue.addMany(numbers(6));
      await queue.work((job) => {
        started.push(job.payload);
        if (job.payload === 0 && !hasSnoozed) {
          hasSnoozed = true;
          throw new Snooze(20_000);
        }
      });
      await queue.resume(KIM, { ramp: { waves: [2, 2] } });
      await bench.pass(10_000);
      expect(started.sort()).toEqual([0, 1]);
      expect((await queue.status()).ramp).toMatchObject({ wave: 1, started: 2, done: 1 });
      await bench.passUntil("all are done", async () => (await queue.status()).counts.done === 6);
      expect(started[2]).toBe(0);
      await bench.passUntil("it is open", async () => (await queue.status()).ramp === null);
    });

    for (const [name, rules] of Object.entries(RULES))
      it(`never starts more than a wave: ${name}`, async (bench) => {
        const queue = bench.queue<number>({ timeout: "1h", ...rules });
        await queue.stop(KIM);
        await queue.addMany(numbers(12), (n) => ({
          tenant: `t${n % 3}`,
          ...(name === "by key" ? { key: `k${n % 4}` } : {}),
        }));
        const open = new Set<number>();
        const waves: number[] = [];
        await queue.work(
          async (job) => {
            open.add(job.payload);
            waves.push((await bench.store.read.queue("line"))?.ramp?.wave ?? 0);
            await new Promise((resolve) => setImmediate(resolve));
            open.delete(job.payload);
            return job.stage;
          },
          { places: 8 },
        );
        await queue.resume(KIM, { ramp: { waves: [1, 2, 4] } });
        await bench.passUntil("all are done, or it stops", async () => {
          const { counts, state } = await queue.status();
          return counts.done === 12 || state === "stopped";
        });
        expect((await queue.stops()).items.filter(({ kind }) => kind === "failure")).toEqual([]);
        const perJob = rules.stages ? 2 : 1;
        expect(waves.filter((wave) => wave === 1)).toHaveLength(perJob);
        expect(waves.filter((wave) => wave === 2)).toHaveLength(2 * perJob);
        expect(waves.filter((wave) => wave === 3)).toHaveLength(4 * perJob);
      });

    it("refuses invalid waves", async (bench) => {
      const queue = bench.queue<number>();
      for (const waves of [[], [0], [1.5], "10", [20_000]])
        await expect(queue.resume(KIM, { ramp: { waves: waves as number[] } })).rejects.toMatchObject({
          code: "INVALID_OPTION",
        });
    });
  });
}

const RULES: Record<string, Parameters<Bench["queue"]>[0] & object> = {
  serial: { mode: "serial" },
  "by key": {},
  fair: { fair: true },
  "with a limit": { concurrency: 2 },
  "with stages": { stages: [{ name: "one", concurrency: 2 }, { name: "two" }] },
  "with a rate": { limiter: { max: 3, duration: "10s" } },
};

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, n) => n);
}

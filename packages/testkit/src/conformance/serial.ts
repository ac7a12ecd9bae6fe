import type { Job } from "@andon/contract";
import type { Claim } from "@andon/engine";
import { completionOf } from "@andon/engine/verbs";
import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** The request that the worker of a serial queue sends each time. */
const REQUEST = { worker: "w", done: [], want: 1, limit: 1, serial: true, rate: null, sharing: null };

/** Serial mode: one job at a time over the whole fleet, in queue order (A2). */
export function describeSerial(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "serial mode", (it) => {
    it("runs one job at a time, in the order of the adds, over all workers", async (bench) => {
      const here = bench.queue<number>({ mode: "serial" });
      const there = (await bench.another()).queue<number>("line", { mode: "serial" });
      let running = 0;
      const order: number[] = [];
      const handler = async (job: { payload: number }) => {
        expect(++running).toBe(1);
        order.push(job.payload);
        await new Promise((resolve) => setImmediate(resolve));
        running--;
      };
      const numbers = Array.from({ length: 30 }, (_, n) => n);
      for (const n of numbers) await (n % 2 ? here : there).add(n, n % 3 ? { key: `k${n % 4}` } : {});
      await here.work(handler);
      await there.work(handler);
      await bench.passUntil("all are done", async () => (await here.status()).counts.done === 30);
      expect(order).toEqual(numbers);
      expect(bench.errors).toEqual([]);
    });

    it("claims the next job only in place of one whose completion was accepted", async (bench) => {
      const queue = bench.queue<string>({ mode: "serial" });
      await queue.addMany(["first", "second"]);
      const request = { ...REQUEST, queue: queue.name };
      const [first] = (await bench.store.finishAndClaim(request)).claims as [Claim];
      const lost = completionOf({ ...first, fence: first.fence + 1 }, null);
      const refused = await bench.store.finishAndClaim({ ...request, done: [lost] });
      expect(refused).toMatchObject({ refused: [first.pos], claims: [] });
      const done = [{ ...completionOf(first, '"well"'), progress: "0.5" }];
      const replaced = await bench.store.finishAndClaim({ ...request, done });
      expect(replaced).toMatchObject({ refused: [], claims: [{ fence: 1, job: { payload: "second" } }] });
      const { state, result, progress } = (await bench.andon.job(first.job.id)) as Job;
      expect({ state, result, progress }).toEqual({ state: "done", result: "well", progress: 0.5 });
      expect((await queue.status()).counts).toMatchObject({ ready: 0, running: 1, done: 1 });
    });

    it("lets no job overtake one that is in back-off", async (bench) => {
      const queue = bench.queue<string>({ mode: "serial", attempts: 3 });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [first] = await queue.addMany(["first", "second"], (payload) => ({ key: payload }));
      (await manual.take()).fail(new Error("no"));
      await bench.reaches(first?.id as string, "scheduled");
      await queue.add("urgent", { priority: 9 });
      await bench.pass(4_900);
      expect(manual.started).toEqual(["first"]);
      await bench.pass(200);
      expect(manual.started).toEqual(["first", "urgent"]);
      (await manual.take()).succeed();
      for (const next of ["first", "second"]) {
        const call = await manual.take();
        expect(call.job.payload).toBe(next);
        call.succeed();
      }
    });

    it("does not wait for a job that is scheduled for later", async (bench) => {
      const queue = bench.queue<string>({ mode: "serial" });
      await queue.add("later", { delay: "1h" });
      const { id } = await queue.add("now");
      await queue.work(() => {});
      await bench.reaches(id, "done");
    });

    it("skips a held lane, and runs its job in its place after the release", async (bench) => {
      const queue = bench.queue<string>({ mode: "serial" });
      const manual = bench.manualHandler();
      await queue.addMany(["a1", "b1", "a2", "b2"], (payload) => ({ key: payload[0] as string }));
      await queue.hold("a", KIM);
      await queue.work(manual.handler);
      const first = await manual.take();
      expect(first.job.payload).toBe("b1");
      await queue.release("a", KIM);
      first.succeed();
      for (const next of ["a1", "a2", "b2"]) {
        const call = await manual.take();
        expect(call.job.payload).toBe(next);
        call.succeed();
      }
    });

    it("stops at the first final failure, and runs a retried job before all waiting ones", async (bench) => {
      const queue = bench.queue<string>({ mode: "serial", attempts: 1, stopReason: "NAS_SYNC_FAILED" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const [bad] = await queue.addMany(["bad", "next", "last"]);
      (await manual.take()).fail(new Error("no"));
      await bench.reaches(bad?.id as string, "failed");
      expect(await queue.status()).toMatchObject({
        state: "stopped",
        stopReason: "NAS_SYNC_FAILED",
        stopActor: "system",
        stopJobId: bad?.id,
        counts: { ready: 2, failed: 1 },
      });
      await bench.pass(4_000);
      expect(manual.started).toEqual(["bad"]);
      await queue.retry(bad?.id as string, KIM);
      await queue.resume(KIM);
      for (const next of ["bad", "next", "last"]) {
        const call = await manual.take();
        expect(call.job.payload).toBe(next);
        call.succeed();
      }
    });
  });
}

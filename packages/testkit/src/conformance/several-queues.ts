import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

/** One process that works several queues: one worker, one beat, the shortest lease and sweep of all. */
export function describeSeveralQueues(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "several queues of one process", (it) => {
    it("are one worker, also if they start at once", async (bench) => {
      const queues = ["a", "b", "c"].map((name) => bench.andon.queue(name));
      await Promise.all(queues.map((queue) => queue.work(() => {})));
      const workers = await bench.andon.workers();
      expect(workers.map(({ queues }) => queues.toSorted())).toEqual([["a", "b", "c"]]);
      const added = await Promise.all(queues.map((queue) => queue.add("x")));
      for (const { id } of added) expect((await bench.reaches(id, "done")).worker).toBe(workers[0]?.id);
    });

    it("beat one after the other, so that the last beat is the newest", async (bench) => {
      const beat = bench.store.beat.bind(bench.store);
      let beating = 0;
      let most = 0;
      bench.store.beat = async (worker) => {
        most = Math.max(most, ++beating);
        await new Promise((resolve) => setTimeout(resolve, 10));
        return beat(worker).finally(() => beating--);
      };
      await Promise.all(["a", "b", "c", "d"].map((name) => bench.andon.queue(name).work(() => {})));
      expect(most).toBe(1);
      const [worker] = await bench.andon.workers();
      expect(worker?.queues.toSorted()).toEqual(["a", "b", "c", "d"]);
    });

    it("leave nothing of a queue whose start failed", async (bench) => {
      const queue = bench.andon.queue("late");
      const beat = bench.store.beat;
      bench.store.beat = () => Promise.reject(new Error("away"));
      await expect(queue.work(() => "ghost")).rejects.toThrow("away");
      bench.store.beat = beat;
      await queue.work(() => "worker");
      const [worker] = await bench.andon.workers();
      expect(worker?.queues).toEqual(["late"]);
      const added = await queue.addMany(["x", "y", "z"]);
      for (const { id } of added) expect((await bench.reaches(id, "done")).result).toBe("worker");
    });

    it("continue if the handle of another is closed twice", async (bench) => {
      const handle = await bench.andon.queue("a").work(() => {});
      const other = bench.andon.queue("b");
      await other.work(() => {});
      await handle.close();
      await handle.close();
      const { id } = await other.add("x");
      await bench.reaches(id, "done");
    });

    it("drop their jobs when the lease is over, also if the beat is never answered", async (bench) => {
      const queue = bench.andon.queue("line", { lease: 10_000, timeout: 0 });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const call = await manual.take(id);
      const beat = bench.store.beat.bind(bench.store);
      let answer = () => {};
      bench.store.beat = (worker) =>
        new Promise((resolve) => {
          answer = () => resolve(beat(worker));
        });
      // Used instead of `pass`, which waits for running calls.
      const letPass = async (ms: number) => {
        const end = bench.clock.monotonic() + ms;
        while (bench.clock.moveToNext(end)) await new Promise((resolve) => setImmediate(resolve));
      };
      await letPass(9_000);
      expect(call.context.signal.aborted).toBe(false);
      await letPass(5_000);
      expect(call.context.signal.aborted).toBe(true);
      bench.store.beat = beat;
      answer();
      call.succeed(null);
    });

    it("beat often enough for a queue that is added later with a shorter lease", async (bench) => {
      await bench.andon.queue("patient", { lease: 60_000, sweep: 30_000 }).work(() => {});
      const queue = bench.andon.queue("hasty", { lease: 10_000, sweep: 3_000 });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const call = await manual.take();
      await bench.pass(25_000);
      expect(call.context.signal.aborted).toBe(false);
      call.succeed(null);
      expect(await bench.reaches(id, "done")).toMatchObject({ attempts: 0 });
    });
  });

  describeOn(kinds, "two workers of one queue in one process", (it) => {
    it("hand back no job of the other when a request of theirs fails", async (bench) => {
      const queue = bench.queue<string>({ timeout: 0 });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      const { id } = await queue.add("x");
      const call = await manual.take(id);
      await queue.work(manual.handler, { places: 1 });
      await bench.settled();
      const finishAndClaim = bench.store.finishAndClaim.bind(bench.store);
      bench.store.finishAndClaim = async () => {
        bench.store.finishAndClaim = finishAndClaim;
        throw new Error("the connection was lost");
      };
      bench.store.signal({ kind: "work", queue: "line" });
      await bench.pass(10_000);
      expect(bench.errors.splice(0)).toMatchObject([{ message: "the connection was lost" }]);
      const second = await queue.add("y");
      (await manual.take(second.id)).succeed();
      await bench.reaches(second.id, "done");
      expect(manual.started).toEqual(["x", "y"]);
      call.succeed();
      await bench.reaches(id, "done");
    });
  });
}

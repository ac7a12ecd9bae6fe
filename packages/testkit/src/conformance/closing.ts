import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

/** Makes every request fail from now on, and so does the query for its outcome. Returns a function that undoes this. */
function takeAway({ store }: Bench): () => void {
  const { finishAndClaim } = store;
  const { runningOf } = store.read;
  const away = () => Promise.reject(new Error("away"));
  store.finishAndClaim = away;
  store.read.runningOf = away;
  return () => {
    store.finishAndClaim = finishAndClaim;
    store.read.runningOf = runningOf;
  };
}

/** How a worker closes if its store does not answer. */
export function describeClosing(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "closing without a store", (it) => {
    it("does not wait if nothing is left to write", async (bench) => {
      const worker = await bench.queue().work(() => {}, { grace: "30s" });
      const mend = takeAway(bench);
      bench.store.signal({ kind: "work", queue: "line" });
      await bench.pass(5_000);
      expect(bench.errors).not.toEqual([]);
      const before = bench.clock.monotonic();
      await worker.close();
      expect(bench.clock.monotonic()).toBe(before);
      mend();
    });

    it("waits for an outcome that is still to be written, and writes it", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      const worker = await queue.work(manual.handler, { grace: "30s" });
      const { id } = await queue.add("x");
      const call = await manual.take(id);
      const mend = takeAway(bench);
      let isClosed = false;
      const closing = worker.close().then(() => {
        isClosed = true;
      });
      await bench.pass(5_000);
      call.succeed("kept");
      await bench.pass(5_000);
      expect(isClosed).toBe(false);
      mend();
      await bench.pass(5_000);
      await closing;
      expect(await bench.job(id)).toMatchObject({ state: "done", result: "kept" });
    });
  });
}

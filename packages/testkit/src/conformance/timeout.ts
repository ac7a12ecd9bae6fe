import { JobAborted } from "@andon/engine";
import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

/** A handler that takes too long: its signal, its place, its result (X5). */
export function describeTimeout(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "timeout", (it) => {
    it("aborts the signal after the timeout from the start, whatever the progress, and charges an attempt", async (bench) => {
      const queue = bench.queue({ timeout: "6s", attempts: 2, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("slow");
      const call = await manual.take();
      await bench.pass(4_000);
      call.context.progress({ percent: 40 });
      await bench.pass(1_999);
      expect(call.context.signal.aborted).toBe(false);
      await bench.pass(1);
      expect(call.context.signal.reason).toEqual(expect.any(JobAborted));
      expect(call.context.signal.reason).toMatchObject({ cause: "timeout" });
      call.fail(call.context.signal.reason);
      expect(await bench.reaches(id, "scheduled")).toMatchObject({ attempts: 1, error: { code: "TIMEOUT" } });
      expect(await bench.andon.attempts(id)).toMatchObject([{ outcome: "failed", code: "TIMEOUT" }]);
    });

    it("counts from the last progress or checkpoint if the queue's rules say so", async (bench) => {
      const queue = bench.queue({ timeout: "3s", timeoutFrom: "progress" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("large");
      const { context, succeed } = await manual.take();
      for (let part = 1; part <= 4; part++) {
        await bench.pass(2_000);
        if (part % 2) context.progress(part);
        else await context.checkpoint(part);
      }
      await bench.pass(2_999);
      expect(context.signal.aborted).toBe(false);
      await bench.pass(1);
      expect(context.signal.aborted).toBe(true);
      succeed("too late");
      expect(await bench.reaches(id, "scheduled")).toMatchObject({
        result: null,
        error: { code: "TIMEOUT" },
      });
    });

    it("does not limit a queue whose timeout is 0", async (bench) => {
      const queue = bench.queue({ timeout: 0 });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("endless");
      const call = await manual.take();
      await bench.pass(40_000);
      expect(call.context.signal.aborted).toBe(false);
      call.succeed("done");
      expect((await bench.reaches(id, "done")).result).toBe("done");
    });

    it("discards the result of a handler that ignores its signal", async (bench) => {
      const queue = bench.queue({ timeout: "3s", attempts: 1, onFinalFailure: "hold-lane" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("deaf");
      const call = await manual.take();
      await bench.pass(4_000);
      call.succeed("finished after all");
      expect(await bench.reaches(id, "failed")).toMatchObject({ result: null, error: { code: "TIMEOUT" } });
    });

    it("keeps the place taken until the handler settles", async (bench) => {
      const queue = bench.queue({ timeout: "2s", settleGrace: "2s" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      await queue.addMany(["first", "second"]);
      const first = await manual.take();
      await bench.pass(3_000);
      expect(manual.started).toEqual(["first"]);
      first.fail(new Error("gave up"));
      expect((await manual.take()).job.payload).toBe("second");
    });

    it("frees the place after the grace if the handler never settles, and refuses its late writes", async (bench) => {
      const queue = bench.queue({
        timeout: "2s",
        settleGrace: "1s",
        attempts: 2,
        backoff: { delay: "1h", max: "1h" },
      });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      const [stuck] = await queue.addMany(["stuck", "next"]);
      const call = await manual.take();
      await bench.pass(2_999);
      expect(manual.started).toEqual(["stuck"]);
      await bench.pass(1);
      expect((await manual.take()).job.payload).toBe("next");
      expect(await bench.job(stuck?.id as string)).toMatchObject({
        state: "scheduled",
        error: { code: "TIMEOUT" },
      });
      await expect(call.context.checkpoint("late")).rejects.toMatchObject({ code: "CLAIM_LOST" });
      call.succeed("late");
      await bench.settled();
      expect(await bench.job(stuck?.id as string)).toMatchObject({
        state: "scheduled",
        result: null,
        cursor: null,
      });
    });
  });
}

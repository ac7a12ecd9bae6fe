import { expect } from "vitest";
import { BulkSource, walkingAt } from "./bulk-source.ts";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** An aborted or failed job continues from its cursor, at the end of its lanes (W22). */
export function describeBulkResume(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "resuming a job", (it) => {
    it("continues from the cursor, and writes no item twice and skips none", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 45);
      const { id, letGo } = await walkingAt(bench, queue, source, 20);
      await queue.abort(id, KIM);
      await bench.settled();
      letGo();
      await bench.reaches(id, "aborted");
      const before = await bench.job(id);
      const resumed = await queue.resumeJob(id, KIM, { noun: "bulk" });
      expect(resumed).toMatchObject({ jobId: id, oldTicket: before.ticket });
      expect(resumed.ticket).not.toBe(before.ticket);
      expect(await bench.reaches(id, "done")).toMatchObject({ cursor: 45, resolution: null });
      expect(await source.written(id)).toEqual(source.upTo(45));
      expect(source.totals).toBe(1);
      expect(await queue.bulkState(id)).toMatchObject({ processed: 45, abort: null, receipt: null });
      const { items } = await bench.andon.audit({ target: `job:${id}` });
      expect(items[0]).toMatchObject({
        action: "bulk.resume",
        before: { state: "aborted", cursor: 20 },
        after: { state: "ready", cursor: 20 },
      });
    });

    it("joins the end of its lane", async (bench) => {
      const queue = bench.queue();
      const [first, second, third] = await queue.addMany(["a", "b", "c"], { key: "category" });
      await queue.abort(first?.id as string, KIM);
      expect((await queue.resumeJob(first?.id as string, KIM)).state).toBe("blocked");
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 3 });
      for (const expected of [second, third, first]) {
        const call = await manual.take();
        expect(call.job.id).toBe(expected?.id);
        call.succeed();
      }
      await bench.reaches(first?.id as string, "done");
    });

    it("gives a failed job fresh attempts, at the end of its lane", async (bench) => {
      const queue = bench.queue({ attempts: 1, onFinalFailure: "hold-lane" });
      const source = await BulkSource.open(bench, 30);
      let broken = true;
      source.inWrite = ([first]) => {
        if (broken && first === 11) throw new Error("refused");
      };
      const worker = await queue.work(source.handler(), { places: 1 });
      const { id } = await queue.add("walk", { key: "category" });
      await bench.reaches(id, "failed");
      const next = await queue.add("next", { key: "category" });
      await worker.close();
      broken = false;
      expect((await queue.resumeJob(id, KIM)).state).toBe("blocked");
      expect(await bench.job(id)).toMatchObject({ attempts: 0, error: null, cursor: 10 });
      expect((await bench.job(next.id)).state).toBe("ready");
      await queue.work(source.handler(), { places: 1 });
      await bench.reaches(id, "done");
      expect(await source.written(id)).toEqual(source.upTo(30));
      expect((await bench.job(next.id)).finishedAt).toBeLessThanOrEqual(
        (await bench.job(id)).finishedAt as number,
      );
    });

    it("waits for the job's time if it is in the future", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 10);
      await queue.work(source.handler());
      const { id } = await queue.add("walk", { delay: "10m", key: "category" });
      const { runAt } = await bench.job(id);
      await queue.abort(id, KIM);
      await bench.pass(60_000);
      expect((await queue.resumeJob(id, KIM)).state).toBe("scheduled");
      expect((await bench.job(id)).runAt).toBe(runAt);
      await bench.pass(500_000);
      expect((await bench.job(id)).state).toBe("scheduled");
      await bench.passUntilState(id, "done");
      expect((await bench.job(id)).startedAt).toBeGreaterThanOrEqual(runAt as number);
    });

    it("calls the hooks of the queue in the same transaction", async (bench) => {
      const seen: string[] = [];
      const note = (what: string) => (job: { state: string }) => void seen.push(`${what} ${job.state}`);
      const queue = bench.queue({}, { hooks: { aborted: note("aborted"), retried: note("retried") } });
      const { id } = await queue.add("x");
      await queue.abort(id, KIM);
      await queue.resumeJob(id, KIM);
      expect(seen).toEqual(["aborted aborted", "retried ready"]);
    });
  });
}

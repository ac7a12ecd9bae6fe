import { parseQueueRules } from "@andon/contract";
import { bulk, type Claim, type JobRow } from "@andon/engine";
import { giveBack } from "@andon/engine/verbs";
import { expect } from "vitest";
import { BulkSource, walkingAt } from "./bulk-source.ts";
import { describeOn, type StoreKind } from "./harness.ts";

/** A bulk job walks its source in chunks; a chunk, its cursor and its counts are one transaction. */
export function describeBulk(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "a bulk job", (it) => {
    it("walks its source to the end, and each item is written once", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 25);
      await queue.work(source.handler());
      const { id } = await queue.add("walk");
      const job = await bench.reaches(id, "done");
      expect(job).toMatchObject({ cursor: 25, result: { processed: 25, total: 25 } });
      expect(source.chunks.map((chunk) => chunk.length)).toEqual([10, 10, 5]);
      expect(await source.written(id)).toEqual(source.upTo(25));
      expect(await queue.bulkState(id)).toMatchObject({
        jobId: id,
        state: "done",
        cursor: 25,
        processed: 25,
        total: 25,
        abort: null,
        receipt: null,
      });
      expect(source.totals).toBe(1);
      expect(await queue.bulkState(id, { tenant: "another" })).toBeUndefined();
    });

    it("commits a chunk, its cursor and its counts together, or none of them", async (bench) => {
      const queue = bench.queue({ attempts: 1, onFinalFailure: "hold-lane" });
      const source = await BulkSource.open(bench, 30);
      source.inWrite = (chunk) => {
        if (chunk[0] === 11) throw new Error("half a chunk");
      };
      await queue.work(source.handler());
      const { id } = await queue.add("walk");
      expect(await bench.reaches(id, "failed")).toMatchObject({
        cursor: 10,
        error: { message: "half a chunk" },
      });
      expect(await queue.bulkState(id)).toMatchObject({ processed: 10, total: 30, cursor: 10 });
      expect(await source.written(id)).toEqual(source.upTo(10));
    });

    it("retries a failed chunk from the cursor, and resets the attempts after each chunk", async (bench) => {
      const queue = bench.queue({ attempts: 2, backoff: { delay: "500ms" } });
      const source = await BulkSource.open(bench, 30);
      const failed = new Set<number>();
      source.inWrite = ([first = 0]) => {
        if (failed.has(first)) return;
        failed.add(first);
        throw new Error("the first time");
      };
      await queue.work(source.handler());
      const { id } = await queue.add("walk");
      await bench.passUntilState(id, "done");
      expect(await source.written(id)).toEqual(source.upTo(30));
      expect((await bench.andon.attempts(id)).map(({ number }) => number)).toEqual([1, 1, 1]);
      expect(source.totals).toBe(1);
    });

    it("cannot commit a chunk after its claim was lost, and the successor writes each item once", async (bench) => {
      const rules = { lease: "10s" };
      const queue = bench.queue(rules);
      const source = await BulkSource.open(bench, 30);
      const { id, letGo, worker } = await walkingAt(bench, queue, source, 10);
      const { pos, fence } = (await bench.store.read.job({ id })) as JobRow;
      await queue.stop({ actor: "test", reason: "nobody else yet" });
      const definition = { name: "line", rules: parseQueueRules("line", rules), hooks: {} };
      await giveBack(bench.store, definition, { pos, fence } as Claim, "lost");
      letGo();
      await bench.settled();
      expect(await source.written(id)).toEqual(source.upTo(10));
      expect(await bench.job(id)).toMatchObject({ state: "ready", cursor: 10 });
      await worker.close();
      await queue.resume({ actor: "test" });
      await queue.work(source.handler());
      await bench.reaches(id, "done");
      expect(await source.written(id)).toEqual(source.upTo(30));
    });

    it("measures its timeout from the last chunk, without pauses", async (bench) => {
      const queue = bench.queue({ timeout: "5s", attempts: 1, onFinalFailure: "hold-lane" });
      const source = await BulkSource.open(bench, 40);
      let slow = 0;
      source.beforeRead = async (after) => {
        if (after === 30) slow = 6_000;
        await new Promise<void>((resolve) => void bench.clock.after(slow, resolve));
      };
      await queue.work(source.handler({ throttle: { pauseMs: "8s" } }));
      const { id } = await queue.add("walk");
      await bench.passUntilState(id, "failed");
      expect(await bench.job(id)).toMatchObject({ cursor: 30, error: { code: "TIMEOUT" } });
    });

    it("reports its rate and its estimated end", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 100);
      await queue.work(source.handler({ throttle: { pauseMs: "1s" } }));
      const { id } = await queue.add("walk");
      await bench.passUntil("half of it", async () => ((await queue.bulkState(id))?.processed ?? 0) >= 50);
      const state = await queue.bulkState(id);
      expect(state?.ratePerSecond).toBeCloseTo(10, 5);
      const rest = 100 - (state?.processed ?? 0);
      expect(state?.estimatedEndAt).toBe((state?.lastChunkAt ?? 0) + rest * 100);
      expect(await bench.andon.why(id)).toMatchObject({
        rule: "job.throttled",
        facts: { pause: 1_000, total: 100 },
      });
    });

    it("refuses more items than requested, and invalid settings", async (bench) => {
      const queue = bench.queue({ attempts: 1, onFinalFailure: "skip" });
      const source = await BulkSource.open(bench, 5);
      const options = source.options({ chunkSize: 2 });
      await queue.work(bulk({ ...options, read: async () => [1, 2, 3] }));
      const { id } = await queue.add("walk");
      expect((await bench.reaches(id, "skipped")).error?.message).toBe(
        "read was asked for 2 items and returned 3",
      );
      expect(() => source.handler({ chunkSize: 0 })).toThrow(/chunkSize/);
      expect(() => source.handler({ chunksize: 5 } as object)).toThrow(/chunkSize/);
      await expect(queue.throttle(id, { maxPerSecond: -1 }, { actor: "kim" })).rejects.toThrow(
        /maxPerSecond/,
      );
    });

    it("leaves nothing behind when it is deleted", async (bench) => {
      const queue = bench.queue();
      const source = await BulkSource.open(bench, 30);
      const { id, letGo } = await walkingAt(bench, queue, source, 10);
      await queue.abort(id, { actor: "kim" });
      letGo();
      await bench.reaches(id, "aborted");
      const kept = () =>
        bench.andon.transaction((tx) =>
          tx.query("select pos from andon_bulk union all select pos from andon_abort_wishes"),
        );
      expect(await kept()).toHaveLength(2);
      await queue.deleteJob(id, { actor: "kim", reason: "not needed" });
      expect(await kept()).toEqual([]);
      expect(await queue.bulkState(id)).toBeUndefined();
      expect(await source.written(id)).toEqual(source.upTo(10));
    });
  });
}

import { parseQueueRules } from "@andon/contract";
import type { Claim } from "@andon/engine";
import { giveBack } from "@andon/engine/verbs";
import { expect } from "vitest";
import { describeOn, type StoreKind } from "./harness.ts";

const PLAIN_REQUEST = {
  queue: "line",
  worker: "w",
  done: [],
  want: 1,
  limit: null,
  serial: false,
  rate: null,
  sharing: null,
};

/** A job's cursor, saved together with the writes of the part it marks. */
export function describeCheckpoint(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "checkpoint", (it) => {
    it("keeps the cursor over a failed attempt, and the next one continues from it", async (bench) => {
      const queue = bench.queue({ backoff: { delay: "500ms" } });
      const cursors: unknown[] = [];
      await queue.work(async (job, context) => {
        cursors.push(job.cursor);
        await context.checkpoint({ after: cursors.length });
        if (cursors.length < 3) throw new Error("again");
      });
      const { id } = await queue.add("x");
      await bench.passUntilState(id, "done");
      expect(cursors).toEqual([null, { after: 1 }, { after: 2 }]);
      expect((await bench.job(id)).cursor).toEqual({ after: 3 });
    });

    it("commits the cursor together with the writes of its part, or neither", async (bench) => {
      await bench.andon.transaction((tx) => tx.query("create table parts (n integer primary key)"));
      const queue = bench.queue({ attempts: 1, onFinalFailure: "hold-lane" });
      await queue.work(async (_, context) => {
        await context.checkpoint(1, async (tx) => {
          await tx.query("insert into parts (n) values ($1)", [1]);
        });
        await context.checkpoint(2, async (tx) => {
          await tx.query("insert into parts (n) values ($1)", [2]);
          throw new Error("half a part");
        });
      });
      const { id } = await queue.add("x");
      expect(await bench.reaches(id, "failed")).toMatchObject({
        cursor: 1,
        error: { message: "half a part" },
      });
      const parts = await bench.andon.transaction((tx) => tx.query("select n from parts"));
      expect(parts).toEqual([{ n: 1 }]);
    });

    it("resets the count of losses when the cursor moves, and only then", async (bench) => {
      const rules = { maxStalled: 1 };
      const queue = bench.queue(rules);
      const definition = { name: "line", rules: parseQueueRules("line", rules), hooks: {} };
      const { id } = await queue.add("x");
      const loseAfter = async (work: (claim: Claim) => Promise<void>) => {
        const { claims } = await bench.store.finishAndClaim(PLAIN_REQUEST);
        const claim = claims[0] as Claim;
        await work(claim);
        await giveBack(bench.store, definition, claim, "lost");
        return (await bench.job(id)).state;
      };
      const save = async ({ pos, fence }: Claim, cursor: number) => {
        await bench.store.transaction("checkpoint", (tx) =>
          tx.saveCheckpoint(pos, fence, String(cursor), null),
        );
      };
      for (const cursor of [1, 2, 3]) expect(await loseAfter((claim) => save(claim, cursor))).toBe("ready");
      // The cursor stays, and progress is only displayed: this counts as two losses in a row.
      const stays = async (claim: Claim) => {
        await save(claim, 3);
        const { pos, fence } = claim;
        await bench.store.saveProgress([{ pos, fence, queue: "line", progress: "99" }]);
      };
      expect(await loseAfter(stays)).toBe("failed");
      expect((await bench.job(id)).error?.code).toBe("STALLED");
    });

    it("shows progress while the job runs", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const call = await manual.take();
      call.context.progress({ percent: 10 });
      call.context.progress({ percent: 20 });
      await bench.pass(1_000);
      expect(await bench.job(id)).toMatchObject({ state: "running", progress: { percent: 20 } });
    });

    it("refuses a cursor or a progress larger than a payload may be, at the call", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const { context } = await manual.take(id);
      const large = "x".repeat(999_999);
      expect(() => context.progress(large)).toThrow(/^the progress is too large: 1000001 bytes/);
      await expect(context.checkpoint(large)).rejects.toMatchObject({ code: "CURSOR_TOO_LARGE" });
      await context.checkpoint("x".repeat(999_998));
      expect((await bench.job(id)).cursor).toHaveLength(999_998);
    });

    it("refuses a cursor or a progress that is not JSON, at the call, and keeps those of other jobs", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const added = await queue.addMany(["good", "bad"]);
      const [good, bad] = [await manual.take(added[0]?.id), await manual.take(added[1]?.id)];
      good.context.progress(1);
      for (const value of [() => {}, Symbol("sign"), 1n, { toJSON: () => undefined }]) {
        expect(() => bad.context.progress(value)).toThrow(/^the progress is not JSON: /);
        await expect(bad.context.checkpoint(value)).rejects.toThrow(/^the cursor is not JSON: /);
      }
      bad.context.progress(null);
      await bench.pass(1_000);
      expect(await bench.job(good.job.id)).toMatchObject({ state: "running", progress: 1 });
      expect(await bench.job(bad.job.id)).toMatchObject({ state: "running", progress: null, cursor: null });
      expect(bench.errors).toEqual([]);
    });

    it("continues from the last checkpoint after a hand-back at shutdown", async (bench) => {
      const queue = bench.queue({ settleGrace: "1s" });
      const leaving = await bench.another();
      const manual = bench.manualHandler();
      await leaving.queue("line", { settleGrace: "1s" }).work(manual.handler, { grace: "2s" });
      const { id } = await queue.add("x", { key: "k" });
      const call = await manual.take();
      await call.context.checkpoint("half-way");
      const closing = leaving.close();
      await bench.pass(1_999);
      expect(call.context.signal.aborted).toBe(false);
      await bench.pass(1);
      expect(call.context.signal.reason).toMatchObject({ cause: "shutdown" });
      call.fail(new Error("shutting down"));
      await closing;
      expect(await bench.job(id)).toMatchObject({ state: "ready", attempts: 0, cursor: "half-way", seq: 1 });
      expect(await bench.andon.attempts(id)).toMatchObject([{ outcome: "handed-back" }]);
      const cursors: unknown[] = [];
      await queue.work((job) => void cursors.push(job.cursor));
      await bench.reaches(id, "done");
      expect(cursors).toEqual(["half-way"]);
    });

    it("keeps the result that a handler returns while its worker shuts down", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      const worker = await queue.work(manual.handler, { grace: "1s" });
      const { id } = await queue.add("x");
      const call = await manual.take();
      const closing = worker.close();
      await bench.pass(1_500);
      expect(call.context.signal.aborted).toBe(true);
      call.succeed("just in time");
      await closing;
      expect(await bench.job(id)).toMatchObject({ state: "done", result: "just in time" });
    });
  });
}

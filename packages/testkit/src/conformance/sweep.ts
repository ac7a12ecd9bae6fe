import type { QueueRulesInput } from "@andon/contract";
import { Andon, type Queue, type Store } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";
import { Lifeline } from "./lifeline.ts";
import type { ManualHandler } from "./manual-handler.ts";

interface Mortal {
  readonly store: Store;
  readonly queue: Queue<string>;
  readonly manual: ManualHandler;
  readonly lifeline: Lifeline;
}

/** A worker in another process whose connection to the store can be cut. */
export async function mortalWorker(bench: Bench, rules: QueueRulesInput, places = 1): Promise<Mortal> {
  const lifeline = new Lifeline();
  const { store } = await bench.another();
  const andon = new Andon(lifeline.over(store), { onError: () => {} });
  const queue = andon.queue<string>("line", rules);
  const manual = bench.manualHandler();
  await queue.work(manual.handler, { places });
  return { store, queue, manual, lifeline };
}

export const RULES = { timeout: 0 } as const;
/** The lease, one sweep that saw the last beat change, and the sweep after the end of the lease. */
export const LONGEST = 15_000;

/** What happens to the jobs of a worker that falls silent (X4). */
export function describeSweep(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "sweep", (it) => {
    it("puts a dead worker's job back at its place, from its checkpoint, uncharged", async (bench) => {
      const mortal = await mortalWorker(bench, RULES);
      const added = await mortal.queue.addMany(["1", "2", "3"], { key: "k" });
      const id = added[0]?.id as string;
      const call = await mortal.manual.take(id);
      await call.context.checkpoint({ row: 40 });
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      mortal.lifeline.cut();
      await bench.pass(9_000);
      expect(manual.started).toEqual([]);
      await bench.pass(LONGEST - 9_000);
      const again = await manual.take(id);
      expect(again.job).toMatchObject({ cursor: { row: 40 }, attempts: 0, seq: 1 });
      expect(await bench.andon.attempts(id)).toMatchObject([{ number: 1, outcome: "lost" }]);
      again.succeed();
      manual.letGo();
      await bench.reaches(added[2]?.id as string, "done");
      expect(manual.started).toEqual(["1", "2", "3"]);
      await bench.pass(3_000);
      expect(await bench.andon.workers()).toHaveLength(1);
    });

    it("takes back all jobs of the dead worker and none of a live one", async (bench) => {
      const mortal = await mortalWorker(bench, RULES, 3);
      const lost = await mortal.queue.addMany(["1", "2", "3"]);
      await mortal.manual.takeMany(3);
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      const living = await queue.add("own");
      await manual.take(living.id);
      mortal.lifeline.cut();
      await bench.pass(LONGEST);
      expect((await queue.jobs("ready")).items.map((job) => job.id)).toEqual(lost.map((job) => job.id));
      expect((await bench.job(living.id)).state).toBe("running");
      expect(await bench.andon.attempts(living.id)).toEqual([]);
    });

    it("stops the queue if a hook refuses the failure of a job that was lost too often", async (bench) => {
      const rules = { ...RULES, maxStalled: 0 };
      const mortal = await mortalWorker(bench, rules);
      const { id } = await mortal.queue.add("x");
      await mortal.manual.take(id);
      const hooks = {
        failed: () => {
          throw new Error("the app is broken");
        },
      };
      const queue = bench.queue<string>(rules, { hooks });
      await queue.work(() => {});
      mortal.lifeline.cut();
      await bench.pass(LONGEST + 9_000);
      expect(await bench.job(id)).toMatchObject({ state: "failed", error: { code: "HOOK_FAILED" } });
      expect(await queue.status()).toMatchObject({ state: "stopped", stopReason: "HOOK_FAILED" });
      expect(String(bench.errors.splice(0)[0])).toContain("the app is broken");
    });

    it("refuses the writes of the dead worker when it returns", async (bench) => {
      const mortal = await mortalWorker(bench, RULES, 2);
      const [done, checked] = await mortal.queue.addMany(["done", "checked"]);
      const ids = [done?.id as string, checked?.id as string] as const;
      const late = [await mortal.manual.take(ids[0]), await mortal.manual.take(ids[1])] as const;
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      mortal.lifeline.cut();
      late[0].succeed("late");
      await bench.pass(LONGEST);
      const taken = [await manual.take(ids[0]), await manual.take(ids[1])] as const;
      mortal.lifeline.mend();
      await expect(late[1].context.checkpoint({ late: true })).rejects.toMatchObject({ code: "CLAIM_LOST" });
      await bench.pass(4_000);
      expect(late[1].context.signal.aborted).toBe(true);
      late[1].succeed("late");
      await bench.settled();
      for (const id of ids)
        expect(await bench.job(id)).toMatchObject({ state: "running", result: null, cursor: null });
      for (const call of taken) call.succeed("in time");
      for (const id of ids) expect(await bench.reaches(id, "done")).toMatchObject({ result: "in time" });
    });

    it("lets the returned worker continue under a new id", async (bench) => {
      const mortal = await mortalWorker(bench, RULES, 2);
      const [before] = await bench.andon.workers();
      const queue = bench.queue<string>(RULES);
      await (await queue.work(() => {}, { places: 1 })).close();
      await mortal.manual.take((await queue.add("lost")).id);
      mortal.lifeline.cut();
      await queue.work(() => {}, { places: 1 });
      await bench.pass(20_000);
      mortal.lifeline.mend();
      await bench.pass(8_000);
      const workers = await bench.andon.workers();
      expect(workers).toHaveLength(2);
      expect(workers.map((worker) => worker.id)).not.toContain(before?.id);
    });

    it("cancels a job whose dead worker did not, and lets the next through", async (bench) => {
      const mortal = await mortalWorker(bench, RULES);
      const [wished, next] = await mortal.queue.addMany(["wished", "next"], { key: "k" });
      await mortal.manual.take(wished?.id);
      mortal.lifeline.cut();
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      expect(await queue.cancel(wished?.id as string, KIM)).toEqual({ outcome: "requested" });
      await bench.pass(LONGEST);
      expect(await bench.job(wished?.id as string)).toMatchObject({
        state: "cancelled",
        resolution: { actor: KIM.actor, reason: KIM.reason },
      });
      await manual.take(next?.id);
      expect(manual.started).toEqual(["next"]);
    });

    it("fails a job as STALLED after it was lost with too many workers, by the queue's policy", async (bench) => {
      const rules = { ...RULES, maxStalled: 1, onFinalFailure: "stop-queue" } as const;
      const queue = bench.queue<string>(rules);
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 1 });
      await queue.add("keeps the living worker busy");
      await manual.take();
      const killer = await queue.add("killer", { key: "k" });
      const behind = await queue.add("behind", { key: "k" });
      for (const state of ["ready", "failed"] as const) {
        const mortal = await mortalWorker(bench, rules);
        await mortal.manual.take(killer.id);
        mortal.lifeline.cut();
        await bench.pass(LONGEST);
        expect((await bench.job(killer.id)).state).toBe(state);
      }
      expect(await bench.job(killer.id)).toMatchObject({
        state: "failed",
        error: { code: "STALLED", message: "lost by dying workers 2 times in a row" },
      });
      expect((await bench.andon.attempts(killer.id)).map((attempt) => attempt.outcome)).toEqual([
        "lost",
        "lost",
      ]);
      expect(await queue.status()).toMatchObject({ state: "stopped", stopJobId: killer.id });
      expect((await bench.job(behind.id)).state).toBe("blocked");
    });
  });
}

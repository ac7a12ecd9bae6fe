import { parseQueueRules, type QueueRulesInput } from "@andon/contract";
import type { Queue } from "@andon/engine";
import { giveBack } from "@andon/engine/verbs";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const REQUEST = { worker: "w", done: [], want: 10, limit: null, serial: false, rate: null, sharing: null };

/** A queue with jobs that were lost with their workers this often; the ids are in the order of the payloads. */
async function withLost(
  bench: Bench,
  rules: QueueRulesInput,
  payloads: readonly string[],
  times: number,
  name = "line",
): Promise<{ queue: Queue<string>; ids: string[] }> {
  const queue = bench.andon.queue<string>(name, { timeout: 0, ...rules });
  const added = await queue.addMany(payloads);
  const definition = { name, rules: parseQueueRules(name, rules), hooks: {} };
  for (let n = 0; n < times; n++) {
    const { claims } = await bench.store.finishAndClaim({ ...REQUEST, queue: name });
    expect(claims).toHaveLength(payloads.length);
    for (const claim of claims) await giveBack(bench.store, definition, claim, "lost");
  }
  return { queue, ids: added.map(({ id }) => id) };
}

/** Jobs that are close to failing as STALLED: which jobs they run beside, and that no other job waits for them. */
export function describeSuspects(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "suspects", (it) => {
    it("wait in line for their last chance while the worker runs other jobs, which continue", async (bench) => {
      const { queue, ids } = await withLost(bench, { maxStalled: 1 }, ["suspect"], 1);
      const [id] = ids as [string];
      const manual = bench.manualHandler();
      const added = await queue.add("long");
      await queue.work(manual.handler, { places: 3 });
      const long = await manual.take(added.id);
      const { startedAt } = await bench.reaches(id, "scheduled");
      for (let n = 0; n < 5; n++) {
        const short = await queue.add(`short ${n}`);
        (await manual.take(short.id)).succeed();
        await bench.reaches(short.id, "done");
        await bench.pass(1_500);
        expect(await bench.job(id)).toMatchObject({ state: "scheduled", attempts: 0, startedAt });
      }
      expect((await bench.andon.why(id)).rule).toBe("job.suspect");
      expect((await bench.andon.attempts(id)).map(({ outcome }) => outcome)).toEqual(["lost"]);
      long.succeed();
      await bench.pass(2_000);
      (await manual.take(id)).succeed();
      expect(await bench.reaches(id, "done")).toMatchObject({ attempts: 0 });
    });

    it("get their last chance alone, so that none fails because of a neighbour", async (bench) => {
      const { queue } = await withLost(bench, { maxStalled: 1 }, ["a", "b"], 1);
      await queue.add("never lost");
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 3 });
      for (const payload of ["never lost", "a", "b"]) {
        await bench.pass(2_000);
        const call = await manual.take();
        await queue.add("next");
        await bench.pass(payload === "never lost" ? 0 : 2_000);
        expect(call.job.payload).toBe(payload);
        if (payload === "never lost") (await manual.take()).succeed();
        else expect(manual.takeOpen()).toBeUndefined();
        call.succeed();
        if (payload === "a") (await manual.take()).succeed();
      }
      expect((await manual.take()).job.payload).toBe("next");
    });

    it("run before that beside jobs that were never lost, but one at a time, over all queues", async (bench) => {
      const { queue } = await withLost(bench, { maxStalled: 2 }, ["a", "b", "c"], 1);
      const other = await withLost(bench, { maxStalled: 2 }, ["d"], 1, "other");
      await queue.addMany(["x", "y"]);
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 5 });
      await other.queue.work(manual.handler, { places: 5 });
      const neighbours = [await manual.take(), await manual.take()];
      expect(neighbours.map(({ job }) => job.payload).sort()).toEqual(["x", "y"]);
      const seen: unknown[] = [];
      for (let n = 0; n < 4; n++) {
        await bench.pass(2_000);
        const call = await manual.take();
        expect(manual.takeOpen()).toBeUndefined();
        seen.push(call.job.payload);
        call.succeed();
        await bench.reaches(call.job.id, "done");
      }
      expect(seen.sort()).toEqual(["a", "b", "c", "d"]);
      for (const neighbour of neighbours) neighbour.succeed();
    });

    it("wait for their last chance also while another queue of the process works", async (bench) => {
      const { queue, ids } = await withLost(bench, { maxStalled: 1 }, ["suspect"], 1);
      const [id] = ids as [string];
      const other = bench.andon.queue<string>("other", { timeout: 0 });
      const manual = bench.manualHandler();
      await other.work(manual.handler);
      await other.add("neighbour");
      const neighbour = await manual.take();
      await queue.work(manual.handler, { places: 2 });
      await bench.pass(3_000);
      expect((await bench.job(id)).state).toBe("scheduled");
      neighbour.succeed();
      await bench.pass(2_000);
      const call = await manual.take(id);
      await other.add("next");
      await bench.pass(2_000);
      expect(manual.takeOpen()).toBeUndefined();
      call.succeed();
      expect((await manual.take()).job.payload).toBe("next");
    });

    it("get a process to themselves after a minute in which none was free", async (bench) => {
      const { queue, ids } = await withLost(bench, { maxStalled: 1 }, ["suspect"], 1);
      const [id] = ids as [string];
      const manual = bench.manualHandler();
      const long = await queue.add("long");
      await queue.work(manual.handler, { places: 3 });
      const call = await manual.take(long.id);
      await bench.pass(65_000);
      const next = await queue.add("next");
      await bench.pass(5_000);
      expect((await bench.job(next.id)).state).toBe("ready");
      call.succeed();
      const alone = await manual.take(id);
      await bench.pass(2_000);
      expect((await bench.job(next.id)).state).toBe("ready");
      alone.succeed();
      (await manual.take(next.id)).succeed();
      await bench.reaches(id, "done");
    });

    it("let the process run other jobs again if it does not become free within another minute", async (bench) => {
      const { queue, ids } = await withLost(bench, { maxStalled: 1 }, ["suspect"], 1);
      const [id] = ids as [string];
      const manual = bench.manualHandler();
      const long = await queue.add("long");
      await queue.work(manual.handler, { places: 3 });
      const call = await manual.take(long.id);
      await bench.pass(125_000);
      expect((await bench.job(id)).state).toBe("scheduled");
      const next = await queue.add("next");
      (await manual.take(next.id)).succeed();
      call.succeed();
      await bench.pass(2_000);
      (await manual.take(id)).succeed();
      await bench.reaches(id, "done");
    });

    for (const [when, ms] of [
      ["in line", 2_000],
      ["for the process to be free", 65_000],
    ] as const) {
      it(`can be cancelled while they wait ${when}`, async (bench) => {
        const { queue, ids } = await withLost(bench, { maxStalled: 1 }, ["suspect"], 1);
        const [id] = ids as [string];
        const manual = bench.manualHandler();
        const long = await queue.add("long");
        await queue.work(manual.handler, { places: 2 });
        const call = await manual.take(long.id);
        await bench.pass(ms);
        await queue.cancel(id, KIM);
        await bench.pass(1_000);
        expect((await bench.job(id)).state).toBe("cancelled");
        const next = await queue.add("next");
        (await manual.take(next.id)).succeed();
        call.succeed();
        expect(manual.started).toEqual(["long", "next"]);
      });
    }

    it("go back in line when their worker closes while they wait", async (bench) => {
      const { queue, ids } = await withLost(bench, { maxStalled: 1 }, ["suspect"], 1);
      const [id] = ids as [string];
      const manual = bench.manualHandler();
      const long = await queue.add("long");
      const worker = await queue.work(manual.handler, { places: 2 });
      const call = await manual.take(long.id);
      await bench.pass(65_000);
      const closing = worker.close();
      call.succeed();
      await closing;
      expect(await bench.job(id)).toMatchObject({ state: "scheduled", attempts: 0 });
      expect(manual.started).toEqual(["long"]);
    });

    it("do not wait if the worker has one place", async (bench) => {
      const { queue, ids } = await withLost(bench, { maxStalled: 1 }, ["suspect"], 1);
      const other = bench.andon.queue<string>("other", { timeout: 0 });
      const manual = bench.manualHandler();
      await other.work(manual.handler);
      await other.add("neighbour");
      const neighbour = await manual.take();
      await queue.work(manual.handler, { places: 1 });
      (await manual.take(ids[0])).succeed();
      neighbour.succeed();
    });
  });
}

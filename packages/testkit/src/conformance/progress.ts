import { commit, Snooze } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

async function progressEvents(bench: Bench): Promise<unknown[][]> {
  const events = await bench.store.read.events(0, 1_000);
  return events
    .filter((event) => event.type === "job.progress")
    .map((event) => [event.jobId, event.data.progress]);
}

/** The last progress of an attempt stays with the job, whatever the end of the attempt. */
export function describeProgress(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "progress", (it) => {
    it("is kept as last reported when the job is done", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x", { key: "k" });
      const call = await manual.take();
      call.context.progress(90);
      await bench.pass(1_000);
      expect((await bench.job(id)).progress).toBe(90);
      call.context.progress(100);
      call.succeed("all of it");
      expect(await bench.reaches(id, "done")).toMatchObject({ progress: 100, result: "all of it" });
    });

    it("is kept for each job that ends at once, with and without lanes", async (bench) => {
      const queue = bench.queue<number>();
      await queue.work((job, { progress }) => {
        progress({ of: job.payload });
        if (job.payload % 3 === 0) progress({ all: job.payload });
      });
      const added = await queue.addMany([0, 1, 2, 3, 4, 5], (n) => (n % 2 ? { key: "k" } : {}));
      for (const [n, { id }] of added.entries())
        expect((await bench.reaches(id, "done")).progress).toEqual(n % 3 ? { of: n } : { all: n });
      await bench.pass(1_000);
      expect(await progressEvents(bench)).toEqual([]);
    });

    it("is kept if the handler commits writes of its own", async (bench) => {
      const queue = bench.queue();
      await queue.work((_job, { progress }) => {
        progress(100);
        return commit(async () => {});
      });
      const { id } = await queue.add("x");
      expect((await bench.reaches(id, "done")).progress).toBe(100);
    });

    it("stays as an earlier attempt reported it if a later one reports none", async (bench) => {
      const queue = bench.queue({ backoff: { delay: "1s" }, attempts: 3 });
      await queue.work((_job, { progress, attempt }) => {
        if (attempt > 1) return;
        progress("as far as this");
        throw new Error("bad");
      });
      const { id } = await queue.add("x");
      expect(await bench.reaches(id, "scheduled")).toMatchObject({ progress: "as far as this" });
      expect(await bench.passUntilState(id, "done")).toMatchObject({ progress: "as far as this" });
    });

    it("is kept for an attempt that snoozes, fails finally, or is cancelled", async (bench) => {
      const queue = bench.queue<string>(
        { attempts: 1, onFinalFailure: "hold-lane" },
        { hooks: { failed: (job) => void seen.push(job.progress) } },
      );
      const seen: unknown[] = [];
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const added = await queue.addMany(["snoozes", "fails", "cancelled"]);
      const [snoozes, fails, cancelled] = added.map(({ id }) => id) as [string, string, string];
      const call = async (id: string) => {
        const taken = await manual.take(id);
        taken.context.progress({ of: taken.job.payload });
        return taken;
      };
      (await call(snoozes)).fail(new Snooze("1h"));
      expect((await bench.reaches(snoozes, "scheduled")).progress).toEqual({ of: "snoozes" });
      (await call(fails)).fail(new Error("bad"));
      expect((await bench.reaches(fails, "failed")).progress).toEqual({ of: "fails" });
      expect(seen).toEqual([{ of: "fails" }]);
      const last = await call(cancelled);
      await queue.cancel(cancelled, KIM);
      await bench.pass(1_000);
      last.fail(new Error("aborted"));
      expect((await bench.reaches(cancelled, "cancelled")).progress).toEqual({ of: "cancelled" });
    });

    it("is written with a checkpoint", async (bench) => {
      const queue = bench.queue();
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x");
      const { context } = await manual.take();
      context.progress(50);
      await context.checkpoint("half-way");
      expect(await bench.job(id)).toMatchObject({ cursor: "half-way", progress: 50 });
    });

    it("is emitted once for each job that reported any since the last time", async (bench) => {
      const queue = bench.queue<number>();
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 5 });
      const added = await queue.addMany([0, 1, 2, 3, 4]);
      const calls = await manual.takeMany(5);
      for (const { context, job } of calls) for (let n = 0; n < 3; n++) context.progress([job.payload, n]);
      await bench.pass(500);
      const told = await progressEvents(bench);
      expect(new Map(told as [string, unknown][])).toEqual(new Map(added.map(({ id }, n) => [id, [n, 2]])));
      expect(told).toHaveLength(5);
      await bench.pass(2_000);
      expect(await progressEvents(bench)).toHaveLength(5);
    });

    it("of a lost claim is not stored, and that of others is", async (bench) => {
      const queue = bench.queue<number>();
      const [kept, lost] = await queue.addMany([0, 1]);
      const request = { queue: "line", worker: "w", done: [], want: 2, limit: null, serial: false };
      const { claims } = await bench.store.finishAndClaim({ ...request, rate: null, sharing: null });
      const rows = claims.map(({ pos, fence, job }) => ({
        queue: "line",
        pos,
        fence: job.id === lost?.id ? fence + 1 : fence,
        progress: JSON.stringify(job.payload),
      }));
      await bench.store.saveProgress(rows);
      expect((await bench.job(kept?.id as string)).progress).toBe(0);
      expect((await bench.job(lost?.id as string)).progress).toBe(null);
      expect(await progressEvents(bench)).toEqual([[kept?.id, 0]]);
    });

    it("keeps NUL, unpaired surrogates and quotes, as payload, cursor and result do", async (bench) => {
      const strange = { "a\u0000\"'": ["\u0000", "\ud800", "\udfff x", "\u2028", "\\u0000", "한글 😀"] };
      const queue = bench.queue<unknown>();
      const seen: unknown[] = [];
      await queue.work(async (job, { progress, checkpoint }) => {
        seen.push(job.payload);
        progress(strange);
        await checkpoint(strange);
        return strange;
      });
      const all = { state: "done", payload: strange, cursor: strange, progress: strange, result: strange };
      const { id } = await queue.add(strange, { key: "k" });
      expect(await bench.reaches(id, "done")).toMatchObject(all);
      expect(seen).toEqual([strange]);
      const manual = bench.manualHandler();
      const other = bench.andon.queue<unknown>("other");
      await other.work(manual.handler);
      await other.add(strange);
      (await manual.take()).context.progress(strange);
      await bench.pass(500);
      expect((await progressEvents(bench)).at(-1)?.[1]).toEqual(strange);
    });
  });
}

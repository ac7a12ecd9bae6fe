import type { Claim, JobRow } from "@andon/engine";
import { completionOf } from "@andon/engine/verbs";
import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

const request = { queue: "line", done: [], limit: null, serial: false, rate: null, sharing: null };

const LATE = JSON.stringify("late");

async function claimOne(bench: Bench, worker: string): Promise<Claim> {
  const { claims } = await bench.store.finishAndClaim({ ...request, worker, want: 1 });
  expect(claims).toHaveLength(1);
  return claims[0] as Claim;
}

/** Takes a claim back as a sweep does, and gives the job to another worker. */
async function loseClaim(bench: Bench): Promise<{ lost: Claim; held: Claim }> {
  const lost = await claimOne(bench, "frozen");
  await bench.store.transaction("test", async (tx) => {
    await tx.lockQueue("line", "exclusive");
    const running = await tx.takeRunning(lost.pos, lost.fence);
    await tx.saveJobs([lost.pos], { fence: running?.fence as number });
    const ready = await tx.enterLine("line", [lost.pos]);
    tx.tally("line", { running: -1, ready: ready.size });
  });
  return { lost, held: await claimOne(bench, "awake") };
}

/** Takes a running job back as the sweep of another process does, and puts it in line. */
async function takeBack(bench: Bench, id: string): Promise<void> {
  const { pos, fence } = (await bench.store.read.job({ id })) as JobRow;
  await bench.store.transaction("test", async (tx) => {
    await tx.lockQueue("line", "exclusive");
    await tx.takeRunning(pos, fence);
    await tx.saveJobs([pos], { fence });
    const ready = await tx.enterLine("line", [pos]);
    tx.tally("line", { running: -1, ready: ready.size });
  });
}

/** The fence: a worker that lost its claim can no longer write about the job (X4). */
export function describeLostClaim(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "a lost claim", (it) => {
    it("raises the fence with every claim", async (bench) => {
      await bench.queue().add("x", { key: "k" });
      const { lost, held } = await loseClaim(bench);
      expect(held.pos).toBe(lost.pos);
      expect(held.fence).toBeGreaterThan(lost.fence);
    });

    it("cannot complete the job, alone or together with others", async (bench) => {
      const queue = bench.queue<string>();
      const { id } = await queue.add("x", { key: "k" });
      const { lost, held } = await loseClaim(bench);
      const alone = await bench.store.finishAndClaim({
        ...request,
        worker: "frozen",
        done: [completionOf(lost, LATE)],
        want: 0,
      });
      expect(alone).toMatchObject({ refused: [lost.pos], claims: [] });
      await queue.add("y");
      const other = await claimOne(bench, "frozen");
      const both = await bench.store.finishAndClaim({
        ...request,
        worker: "frozen",
        done: [completionOf(lost, LATE), completionOf(other, LATE)],
        want: 1,
      });
      expect(both.refused).toEqual([lost.pos]);
      expect(await bench.job(id)).toMatchObject({ state: "running", worker: "awake", result: null });
      expect((await queue.status()).counts).toMatchObject({ running: 1, done: 1 });
      const kept = await bench.store.finishAndClaim({
        ...request,
        worker: "awake",
        done: [completionOf(held, LATE)],
        want: 0,
      });
      expect(kept.refused).toEqual([]);
      expect((await bench.job(id)).state).toBe("done");
    });

    it("cannot complete the job under another worker's name", async (bench) => {
      const queue = bench.queue();
      const { id } = await queue.add("x");
      const claim = await claimOne(bench, "one");
      const answer = await bench.store.finishAndClaim({
        ...request,
        worker: "two",
        done: [completionOf(claim, LATE)],
        want: 0,
      });
      expect(answer.refused).toEqual([claim.pos]);
      expect((await bench.job(id)).state).toBe("running");
    });

    it("cannot complete the job in a transaction, which is rolled back with its writes", async (bench) => {
      const queue = bench.queue();
      await queue.add("x", { key: "k" });
      const { lost } = await loseClaim(bench);
      const finished = await bench.store.transaction("test", (tx) =>
        tx.finish("line", "frozen", [completionOf(lost, LATE)]),
      );
      expect(finished).toBe(false);
      expect((await queue.status()).counts).toMatchObject({ running: 1, done: 0 });
    });

    it("cannot save a checkpoint or progress", async (bench) => {
      const queue = bench.queue();
      const { id } = await queue.add("x");
      const { lost, held } = await loseClaim(bench);
      const late = await bench.store.transaction("test", (tx) =>
        tx.saveCheckpoint(lost.pos, lost.fence, '"late"'),
      );
      expect(late).toBe(false);
      const progress = { queue: "line", progress: '"late"' };
      await bench.store.saveProgress([{ pos: lost.pos, fence: lost.fence, ...progress }]);
      expect(await bench.job(id)).toMatchObject({ cursor: null, progress: null });
      const kept = await bench.store.transaction("test", (tx) =>
        tx.saveCheckpoint(held.pos, held.fence, '"kept"'),
      );
      expect(kept).toBe(true);
      await bench.store.saveProgress([{ pos: held.pos, fence: held.fence, ...progress, progress: "0.5" }]);
      expect(await bench.job(id)).toMatchObject({ cursor: "kept", progress: 0.5 });
    });

    it("cannot be ended by a failure, a snooze or a hand-back", async (bench) => {
      const queue = bench.queue();
      await queue.add("x");
      const { lost, held } = await loseClaim(bench);
      const taken = await bench.store.transaction("test", (tx) => tx.takeRunning(lost.pos, lost.fence));
      expect(taken).toBeUndefined();
      expect(await bench.store.read.running(held.pos)).toMatchObject({ worker: "awake", fence: held.fence });
    });

    it("is not reported as done when a worker checks which of its completions are stored", async (bench) => {
      const queue = bench.queue<string>();
      await queue.addMany(["x", "y"]);
      const { lost, held } = await loseClaim(bench);
      const done = completionOf(held, LATE);
      await bench.store.finishAndClaim({ ...request, worker: "awake", done: [done], want: 0 });
      expect(await bench.store.confirmDone("awake", [done])).toEqual(new Set([held.pos]));
      expect(await bench.store.confirmDone("frozen", [completionOf(lost, LATE)])).toEqual(new Set());
      const other = await claimOne(bench, "awake");
      expect(await bench.store.confirmDone("awake", [completionOf(other, LATE)])).toEqual(new Set());
    });

    it("rolls back the handler's own writes, because its result is refused when another worker has the job", async (bench) => {
      const queue = bench.queue({ lease: "10s", sweep: "3s" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const { id } = await queue.add("x", { key: "k" });
      const call = await manual.take();
      await takeBack(bench, id);
      call.succeed("late");
      await bench.pass(2_000);
      const again = await manual.take(id);
      expect(again.job.payload).toBe("x");
      again.succeed("second");
      expect((await bench.reaches(id, "done")).result).toBe("second");
    });

    it("is reported to its handler when this worker claims the job again, whose next handler takes its place", async (bench) => {
      const queue = bench.queue({ timeout: 0, settleGrace: "1m" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 2 });
      const { id } = await queue.add("x");
      const older = await manual.take(id);
      await takeBack(bench, id);
      await bench.pass(2_000);
      expect(older.context.signal.reason).toMatchObject({ cause: "lost" });
      const { fence } = (await bench.store.read.job({ id })) as JobRow;
      expect(fence).toBeGreaterThan(older.context.fence);
      await queue.addMany(["other", "third"]);
      await bench.pass(2_000);
      expect(manual.started).toEqual(["x", "other"]);
      older.succeed("late");
      const newer = await manual.take(id);
      expect(newer.context.fence).toBe(fence);
      await bench.pass(30_000);
      expect(manual.started).toEqual(["x", "other", "x"]);
      expect(await bench.store.read.job({ id })).toMatchObject({ state: "running", fence });
      newer.succeed("in time");
      expect((await bench.reaches(id, "done")).result).toBe("in time");
      expect((await manual.take()).job.payload).toBe("other");
      expect((await manual.take()).job.payload).toBe("third");
    });

    it("delays the job for at most the grace if its handler does not settle", async (bench) => {
      const queue = bench.queue({ timeout: 0, settleGrace: "5s" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 2 });
      const { id } = await queue.add("x");
      const older = await manual.take(id);
      // Twice, so that a claim that never started to run is taken back too.
      for (let times = 0; times < 2; times++) {
        await takeBack(bench, id);
        await bench.pass(2_000);
      }
      expect(manual.started).toEqual(["x"]);
      await bench.pass(3_000);
      const newer = await manual.take(id);
      older.succeed("late");
      await bench.pass(30_000);
      expect(manual.started).toEqual(["x", "x"]);
      newer.succeed("in time");
      expect((await bench.reaches(id, "done")).result).toBe("in time");
    });
  });
}

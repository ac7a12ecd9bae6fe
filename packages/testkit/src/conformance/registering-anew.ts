import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

const RULES = { lease: 9_000, timeout: 0 } as const;
const ONE_BEAT_MS = 3_500;
/** A worker at rest does not beat; its next look tells it that it was forgotten. */
const ONE_LOOK_MS = 8_500;

/** Forgets the worker, as the sweep of another process does after a lease of silence. */
async function forget(bench: Bench): Promise<string> {
  const [worker] = await bench.andon.workers();
  const id = worker?.id as string;
  await bench.store.transaction("test", (tx) => tx.forgetWorker(id));
  return id;
}

/** Used instead of `pass`, which waits for running calls. */
async function letPass(bench: Bench, ms: number): Promise<void> {
  const end = bench.clock.monotonic() + ms;
  while (bench.clock.moveToNext(end)) await rest();
  await rest();
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 20));

/** A worker that other processes forgot while it was silent registers under another id; until then it has none. */
export function describeRegisteringAnew(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "a worker that was forgotten", (it) => {
    it("claims nothing until it has another id", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const before = await forget(bench);
      const beat = bench.store.beat.bind(bench.store);
      let answer = () => {};
      bench.store.beat = async (worker) => {
        if (worker.beat === 0) await new Promise<void>((resolve) => (answer = resolve));
        return beat(worker);
      };
      await letPass(bench, ONE_LOOK_MS);
      const { id } = await queue.add("x");
      await letPass(bench, 100);
      expect(await bench.store.read.runningOf({})).toEqual([]);
      answer();
      (await manual.take(id)).succeed(null);
      const { worker, attempts } = await bench.reaches(id, "done");
      expect(worker).not.toBe(before);
      expect(attempts).toBe(0);
      expect((await bench.andon.workers()).map((row) => row.id)).toEqual([worker]);
    });

    it("gives back jobs that it claimed before it noticed", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      // The first look of every worker would claim the job without this wait.
      await bench.settled();
      const finishAndClaim = bench.store.finishAndClaim.bind(bench.store);
      let answer = () => {};
      bench.store.finishAndClaim = async (request) => {
        const result = await finishAndClaim(request);
        if (result.claims.length > 0) {
          bench.store.finishAndClaim = finishAndClaim;
          await new Promise<void>((resolve) => (answer = resolve));
        }
        return result;
      };
      const { id } = await queue.add("x");
      await bench.reaches(id, "running");
      const before = await forget(bench);
      await letPass(bench, ONE_BEAT_MS);
      await eventually("it has another id", async () => {
        const [worker] = await bench.andon.workers();
        return worker !== undefined && worker.id !== before;
      });
      answer();
      const call = await manual.take(id);
      expect(call.context.fence).toBe(2);
      call.succeed(null);
      const { worker } = await bench.reaches(id, "done");
      expect(worker).not.toBe(before);
    });

    it("checks the other workers again if the check after registering failed", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      await bench.settled();
      await forget(bench);
      const { read } = bench.store;
      const workers = read.workers.bind(read);
      const beat = bench.store.beat.bind(bench.store);
      bench.store.beat = async (worker) => {
        const answer = await beat(worker);
        if (worker.beat === 0)
          read.workers = async () => {
            read.workers = workers;
            throw new Error("the connection was lost");
          };
        return answer;
      };
      await bench.pass(ONE_LOOK_MS);
      expect(bench.errors.splice(0)).toMatchObject([{ message: "the connection was lost" }]);
      const { id } = await queue.add("x");
      await bench.pass(ONE_BEAT_MS);
      (await manual.take(id)).succeed(null);
    });
  });

  describeOn(kinds, "a worker whose beats get no answer", (it) => {
    it("claims nothing after a lease at work, and leaves the work to others", async (bench) => {
      const silent = bench.manualHandler();
      const queue = bench.queue<string>(RULES);
      await queue.work(silent.handler);
      const lost = await silent.take((await queue.add("lost")).id);
      await bench.settled();
      const beat = bench.store.beat.bind(bench.store);
      let answer = () => {};
      bench.store.beat = async (worker) => {
        await new Promise<void>((resolve) => (answer = resolve));
        return beat(worker);
      };
      await letPass(bench, 2 * RULES.lease);
      const other = (await bench.another()).queue<string>("line", RULES);
      const manual = bench.manualHandler();
      const { id } = await other.add("x");
      await letPass(bench, ONE_BEAT_MS);
      expect(silent.started).toEqual(["lost"]);
      expect(lost.context.signal.aborted).toBe(true);
      await other.work(manual.handler);
      (await manual.take(id)).succeed(null);
      await bench.reaches(id, "done");
      expect(silent.started).toEqual(["lost"]);
      manual.letGo();
      bench.store.beat = beat;
      answer();
    });

    it("can claim at rest, without beats", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      await bench.pass(10 * RULES.lease);
      const [resting] = await bench.andon.workers();
      await bench.pass(5 * RULES.lease);
      const [later] = await bench.andon.workers();
      if (bench.kind.name === "postgres") expect(later).toEqual({ ...resting, atWork: false });
      const { id } = await queue.add("x");
      await manual.take(id);
      await bench.pass(2 * RULES.lease);
      const [atWork] = await bench.andon.workers();
      expect(atWork).toMatchObject({ id: resting?.id, atWork: true });
      expect(await bench.job(id)).toMatchObject({ state: "running", attempts: 0 });
    });

    it("claims again as soon as a beat is answered", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      await bench.settled();
      bench.clock.jump(2 * RULES.lease);
      const { id } = await queue.add("x");
      (await manual.take(id)).succeed(null);
      await bench.reaches(id, "done");
    });
  });

  describeOn(kinds, "a worker that has signed off", (it) => {
    it("is not registered again by a beat that was under way", async (bench) => {
      const process = await bench.another();
      const queue = process.queue<string>("line", RULES);
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      const call = await manual.take((await queue.add("x")).id);
      await bench.settled();
      const beat = process.store.beat.bind(process.store);
      let answer = () => {};
      process.store.beat = async (worker) => {
        if (worker.beat > 0) await new Promise<void>((resolve) => (answer = resolve));
        return beat(worker);
      };
      await letPass(bench, ONE_BEAT_MS);
      call.succeed(null);
      const close = process.store.close.bind(process.store);
      process.store.close = async () => {
        answer();
        await rest();
        await close();
      };
      await process.close();
      expect(await bench.andon.workers()).toEqual([]);
    });
  });
}

import { expect } from "vitest";
import { eventually } from "./eventually.ts";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

const RULES = { lease: 9_000, timeout: 0 } as const;
const ONE_BEAT_MS = 3_500;
/** A worker at rest does not beat: a look tells it that it was forgotten. */
const ONE_LOOK_MS = 8_500;

/** What the sweep of another process does to one that was silent for a lease. */
async function forget(bench: Bench): Promise<string> {
  const [worker] = await bench.andon.workers();
  const id = worker?.id as string;
  await bench.store.transaction("test", (tx) => tx.forgetWorker(id));
  return id;
}

/** Not `pass`, which waits for calls that are under way. */
async function letPass(bench: Bench, ms: number): Promise<void> {
  const end = bench.clock.monotonic() + ms;
  while (bench.clock.moveToNext(end)) await rest();
  await rest();
}

const rest = () => new Promise((resolve) => setTimeout(resolve, 20));

/** A worker that the others gave up while it was silent takes another id; between the two it has none. */
export function describeRegisteringAnew(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "a worker that was forgotten", (it) => {
    it("claims nothing until it has another id", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const hands = bench.hands();
      await queue.work(hands.handler);
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
      (await hands.take(id)).succeed(null);
      const { worker, attempts } = await bench.reaches(id, "done");
      expect(worker).not.toBe(before);
      expect(attempts).toBe(0);
      expect((await bench.andon.workers()).map((row) => row.id)).toEqual([worker]);
    });

    it("gives back what it claimed before it knew", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const hands = bench.hands();
      await queue.work(hands.handler);
      // The look that every worker begins with would take the job without waiting here.
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
      const piece = await hands.take(id);
      expect(piece.context.fence).toBe(2);
      piece.succeed(null);
      const { worker } = await bench.reaches(id, "done");
      expect(worker).not.toBe(before);
    });

    it("looks at the others again where it could not after it had registered", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const hands = bench.hands();
      await queue.work(hands.handler);
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
      (await hands.take(id)).succeed(null);
    });
  });

  describeOn(kinds, "a worker whose beats are not answered", (it) => {
    it("claims nothing after a lease at work, and leaves the work to others", async (bench) => {
      const silent = bench.hands();
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
      const hands = bench.hands();
      const { id } = await other.add("x");
      await letPass(bench, ONE_BEAT_MS);
      expect(silent.started).toEqual(["lost"]);
      expect(lost.context.signal.aborted).toBe(true);
      await other.work(hands.handler);
      (await hands.take(id)).succeed(null);
      await bench.reaches(id, "done");
      expect(silent.started).toEqual(["lost"]);
      hands.letGo();
      bench.store.beat = beat;
      answer();
    });

    it("claims at rest, when nobody waits for its beat", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const hands = bench.hands();
      await queue.work(hands.handler);
      await bench.pass(10 * RULES.lease);
      const [resting] = await bench.andon.workers();
      await bench.pass(5 * RULES.lease);
      const [later] = await bench.andon.workers();
      if (bench.kind.name === "postgres") expect(later).toEqual({ ...resting, atWork: false });
      const { id } = await queue.add("x");
      await hands.take(id);
      await bench.pass(2 * RULES.lease);
      const [atWork] = await bench.andon.workers();
      expect(atWork).toMatchObject({ id: resting?.id, atWork: true });
      expect(await bench.job(id)).toMatchObject({ state: "running", attempts: 0 });
    });

    it("claims again as soon as one is", async (bench) => {
      const queue = bench.queue<string>(RULES);
      const hands = bench.hands();
      await queue.work(hands.handler);
      await bench.settled();
      bench.clock.jump(2 * RULES.lease);
      const { id } = await queue.add("x");
      (await hands.take(id)).succeed(null);
      await bench.reaches(id, "done");
    });
  });

  describeOn(kinds, "a worker that has signed off", (it) => {
    it("is not brought back by a beat that was under way", async (bench) => {
      const process = await bench.another();
      const queue = process.queue<string>("line", RULES);
      const hands = bench.hands();
      await queue.work(hands.handler);
      const piece = await hands.take((await queue.add("x")).id);
      await bench.settled();
      const beat = process.store.beat.bind(process.store);
      let answer = () => {};
      process.store.beat = async (worker) => {
        if (worker.beat > 0) await new Promise<void>((resolve) => (answer = resolve));
        return beat(worker);
      };
      await letPass(bench, ONE_BEAT_MS);
      piece.succeed(null);
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

import type { Claim } from "@andon/engine";
import { completionOf } from "@andon/engine/verbs";
import { expect } from "vitest";
import { seeded } from "../processes/seeded.ts";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** Sends requests of a worker, with an explicit choice of what is finished and claimed together. */
function requests(
  bench: Bench,
  stageLimits: Readonly<Record<string, number>> = { one: 10, two: 1 },
  worker = "w",
) {
  const common = { queue: "line", worker, limit: null, serial: false, rate: null, sharing: null };
  return async (done: readonly Claim[], want: number) => {
    const completions = done.map((claim) => completionOf(claim, JSON.stringify(`from ${claim.job.stage}`)));
    return bench.store.finishAndClaim({ ...common, done: completions, want, stageLimits, hasStages: true });
  };
}

const placesOf = (claims: readonly Claim[]) => claims.map(({ job }) => `${job.payload} ${job.stage}`);

/** Who gets the places of a stage if one request ends some stages and claims others. */
export function describeStagePlaces(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "places in stages", (it) => {
    it("are given by priority and age, to jobs from their previous stage and in line alike", async (bench) => {
      const queue = bench.queue<string>({ stages: [{ name: "one" }, { name: "two", concurrency: 1 }] });
      const ask = requests(bench);
      await queue.addMany(["a", "b", "urgent"], (name) => ({ priority: name === "urgent" ? 5 : 0 }));
      const [urgent, a, b] = (await ask([], 3)).claims as [Claim, Claim, Claim];
      expect(placesOf([urgent, a, b])).toEqual(["urgent one", "a one", "b one"]);

      const first = await ask([b], 3);
      expect(placesOf(first.claims)).toEqual(["b two"]);
      expect(first.claims[0]).toMatchObject({
        fence: b.fence + 1,
        job: { attempts: 0, outputs: { one: "from one" } },
      });
      const full = await ask([a, urgent], 3);
      expect(full).toMatchObject({ claims: [], refused: [] });
      expect((await queue.status()).counts).toMatchObject({ ready: 2, running: 1, done: 0 });
      expect((await ask([], 3)).claims).toEqual([]);

      // The freed place goes to the first job in line; a job that continues with this request does not overtake it.
      await queue.add("late");
      const [late] = (await ask([], 1)).claims as [Claim];
      const second = await ask([...first.claims, late], 3);
      expect(placesOf(second.claims)).toEqual(["urgent two"]);
      const third = await ask(second.claims, 3);
      expect(placesOf(third.claims)).toEqual(["a two"]);
      const fourth = await ask(third.claims, 3);
      expect(placesOf(fourth.claims)).toEqual(["late two"]);
      await ask(fourth.claims, 3);
      expect((await queue.status()).counts).toMatchObject({ ready: 0, running: 0, done: 4 });
    });

    it("are not given while the queue is stopped, and a lost claim leaves its job unchanged", async (bench) => {
      const queue = bench.queue<string>({ stages: [{ name: "one" }, { name: "two", concurrency: 1 }] });
      const ask = requests(bench);
      await queue.addMany(["a", "b"]);
      const [a, b] = (await ask([], 2)).claims as [Claim, Claim];
      const lost = { ...a, fence: a.fence + 1 };
      const half = await ask([lost, b], 2);
      expect(half.refused).toEqual([a.pos]);
      expect(placesOf(half.claims)).toEqual(["b two"]);
      await queue.stop(KIM);
      expect(await ask([a, ...half.claims], 2)).toMatchObject({
        claims: [],
        refused: [],
        queueState: "stopped",
      });
      expect((await queue.status()).counts).toMatchObject({ ready: 1, running: 0, done: 1 });
      expect(await bench.andon.stages(a.job.id)).toMatchObject([
        { name: "one", status: "completed" },
        { name: "two", status: "waiting" },
      ]);
    });

    it("are given to all jobs that end a stage together if there is room; the rest go in line", async (bench) => {
      const queue = bench.queue<string>({ stages: [{ name: "one" }, { name: "two" }, { name: "three" }] });
      const ask = requests(bench, { one: 10, two: 10, three: 10 });
      await queue.add("short", { stages: ["one", "three"] });
      await queue.addMany(["a", "b", "c", "d"]);
      const [short, a, b] = (await ask([], 3)).claims as [Claim, Claim, Claim];
      const lost = { ...a, fence: a.fence + 1 };
      const some = await ask([b, lost, short], 4);
      expect(some.refused).toEqual([a.pos]);
      expect(placesOf(some.claims)).toEqual(["short three", "b two", "c one", "d one"]);
      const running = await bench.store.read.runningOf({ queue: "line" });
      expect(running.map(({ pos, fence }) => [pos, fence])).toEqual([
        [short.pos, short.fence + 1],
        [a.pos, a.fence],
        [b.pos, b.fence + 1],
        ...some.claims.slice(2).map(({ pos, fence }) => [pos, fence]),
      ]);
      expect((await queue.status()).counts).toMatchObject({ ready: 0, running: 5, done: 0 });
      // A claim ends only once: neither the stage again, nor the job by the claim of that stage.
      expect(await ask([b, short], 0)).toMatchObject({ refused: [b.pos, short.pos], claims: [] });
      const [shortNow, bNow] = some.claims as [Claim, Claim];
      expect(await ask([shortNow, bNow], 0)).toMatchObject({ refused: [], claims: [] });
      expect((await queue.status()).counts).toMatchObject({ ready: 1, running: 3, done: 1 });
      expect(await bench.andon.stages(b.job.id)).toMatchObject([
        { name: "one", status: "completed", attempts: 1 },
        { name: "two", status: "completed", attempts: 1 },
        { name: "three", status: "waiting" },
      ]);
    });

    it("come with the job as it was added, whatever the handler of an earlier stage changed in it", async (bench) => {
      const queue = bench.queue<{ names: string[] }>({ stages: [{ name: "one" }, { name: "two" }] });
      const ask = requests(bench, { one: 10, two: 10 });
      await queue.add({ names: ["a"] }, { priority: 3, tenant: "acme", traceId: "t-1" });
      const [first] = (await ask([], 1)).claims as [Claim];
      (first.job.payload as { names: string[] }).names.push("b");
      first.job.stages.push("four");
      const [second] = (await ask([first], 1)).claims as [Claim];
      expect(second.job).toMatchObject({
        ...{ id: first.job.id, payload: { names: ["a"] }, priority: 3, tenant: "acme", traceId: "t-1" },
        ...{ stage: "two", stages: ["one", "two"], outputs: { one: "from one" }, attempts: 0, worker: "w" },
      });
      expect(second).toMatchObject({
        pos: first.pos,
        fence: first.fence + 1,
        stalled: 0,
        stageStartedAt: null,
      });
    });

    it("are given in the same order by every request, however many stages end and places are free", async (bench) => {
      const { below } = seeded(7);
      const names = ["one", "two", "three", "four"];
      const limits = { one: 6, two: 2, three: 9, four: 4 };
      const queue = bench.queue<number>({ stages: names.map((name) => ({ name })) });
      const workers = ["v", "w"].map((worker) => ({
        ask: requests(bench, limits, worker),
        held: [] as Claim[],
      }));
      const waiting: Waiting[] = [];
      let added = 0;
      for (let n = 0; n < 80; n++) {
        if (n < 50) {
          const stages = names.filter((_, index) => index === 0 || below(10) < 7);
          const priority = below(3);
          await queue.add(added, { stages, priority });
          waiting.push({ payload: added++, priority, stage: "one" });
        }
        const { ask, held } = workers[n % 2] as (typeof workers)[0];
        const done = held.splice(0).filter((claim) => below(10) < 6 || void held.push(claim));
        for (const { job } of done) {
          const stage = job.stages[job.stages.indexOf(job.stage as string) + 1];
          if (stage) waiting.push({ payload: job.payload as number, priority: job.priority, stage });
        }
        const running = workers.flatMap((worker) => worker.held.map(({ job }) => job.stage as string));
        const want = below(12);
        const expected = inTurn(waiting, running, limits, want);
        const { claims, refused } = await ask(done, want);
        expect([n, refused, placesOf(claims)]).toEqual([
          n,
          [],
          expected.map(({ payload, stage }) => `${payload} ${stage}`),
        ]);
        for (const one of expected) waiting.splice(waiting.indexOf(one), 1);
        held.push(...claims);
        expect((await queue.status()).counts).toMatchObject({ ready: waiting.length });
      }
    });
  });
}

interface Waiting {
  readonly payload: number;
  readonly priority: number;
  readonly stage: string;
}

/** The expected claims: by priority, then by age, as far as stages have places. */
function inTurn(
  waiting: readonly Waiting[],
  running: readonly string[],
  limits: Readonly<Record<string, number>>,
  want: number,
): Waiting[] {
  const taken = [...running];
  const chosen: Waiting[] = [];
  for (const one of [...waiting].sort((a, b) => b.priority - a.priority || a.payload - b.payload)) {
    const atWork = taken.filter((stage) => stage === one.stage).length;
    if (chosen.length === want || atWork >= (limits[one.stage] ?? 0)) continue;
    taken.push(one.stage);
    chosen.push(one);
  }
  return chosen;
}

import type { Claim } from "@andon/engine";
import { completionOf } from "@andon/engine/verbs";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

/** A worker that decides itself what is written and claimed together. */
function requests(bench: Bench) {
  const common = { queue: "line", worker: "w", limit: null, serial: false, rate: null, sharing: null };
  const stageLimits = { one: 10, two: 1 };
  return async (done: readonly Claim[], want: number) => {
    const completions = done.map((claim) => completionOf(claim, JSON.stringify(`from ${claim.job.stage}`)));
    return bench.store.finishAndClaim({ ...common, done: completions, want, stageLimits, hasStages: true });
  };
}

const placesOf = (claims: readonly Claim[]) => claims.map(({ job }) => `${job.payload} ${job.stage}`);

/** Who gets the places of a stage where one request ends some stages and claims others. */
export function describeStagePlaces(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "places in stages", (it) => {
    it("go by priority and age, whether a job comes from its last stage or stands in line", async (bench) => {
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

      // The place that ends goes to the best of the line, and what goes on beside it does not overtake.
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

    it("are not given while the queue stands, and a claim that was lost keeps its job where it is", async (bench) => {
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
  });
}

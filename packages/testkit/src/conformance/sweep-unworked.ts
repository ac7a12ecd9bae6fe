import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";
import { LONGEST, mortalWorker, RULES } from "./sweep.ts";

const PATIENT = { ...RULES, lease: "60s", sweep: "30s" } as const;
const HASTY = { ...RULES, lease: "2s", sweep: "1s" } as const;

/** A sweep covers every queue that its process defines: all workers of one may have died (X4). */
export function describeSweepUnworked(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "sweep of a queue that is not worked here", (it) => {
    it("takes a dead worker's jobs back by the lease and the sweep of their own queue", async (bench) => {
      await bench.andon.queue("other", PATIENT).work(() => {});
      const mortal = await mortalWorker(bench, RULES);
      const queue = bench.queue<string>(RULES);
      const { id } = await mortal.queue.add("x");
      await mortal.manual.take(id);
      // Its last beat before the cut is half a second old.
      await bench.pass(10_500);
      mortal.lifeline.cut();
      await bench.pass(9_000);
      expect((await bench.job(id)).state).toBe("running");
      await bench.pass(LONGEST - 9_000);
      expect((await bench.job(id)).state).toBe("ready");
      expect(await bench.andon.attempts(id)).toMatchObject([{ number: 1, outcome: "lost" }]);
      expect((await bench.andon.workers()).map(({ queues }) => queues)).toEqual([["other"]]);
      expect(await bench.andon.why(id)).toMatchObject({ rule: "queue.no-worker" });
      const manual = bench.manualHandler();
      await queue.work(manual.handler);
      await manual.take(id);
    });

    it("carries out a cancel that a dead worker did not", async (bench) => {
      const mortal = await mortalWorker(bench, RULES);
      const queue = bench.queue<string>(RULES);
      await bench.andon.queue("other").work(() => {});
      const { id } = await mortal.queue.add("x");
      await mortal.manual.take(id);
      mortal.lifeline.cut();
      expect(await queue.cancel(id, KIM)).toEqual({ outcome: "requested" });
      await bench.pass(LONGEST);
      expect(await bench.job(id)).toMatchObject({ state: "cancelled", resolution: { actor: KIM.actor } });
    });

    it("takes nothing from a live worker with a longer lease than any queue worked here", async (bench) => {
      const patient = await mortalWorker(bench, PATIENT);
      bench.queue<string>(PATIENT);
      await bench.andon.queue("other", HASTY).work(() => {});
      const { id } = await patient.queue.add("x");
      await patient.manual.take(id);
      await bench.pass(90_000);
      expect((await bench.job(id)).state).toBe("running");
      expect(await bench.andon.attempts(id)).toEqual([]);
    });

    it("leaves jobs of a queue alone that is not defined here, since their lease is unknown", async (bench) => {
      const mortal = await mortalWorker(bench, RULES);
      await bench.andon.queue("other", HASTY).work(() => {});
      const { id } = await mortal.queue.add("x");
      await mortal.manual.take(id);
      mortal.lifeline.cut();
      await bench.pass(90_000);
      expect((await bench.job(id)).state).toBe("running");
    });

    it("forgets a worker that died at work without jobs left, by the leases of its own queues", async (bench) => {
      await bench.andon.queue("other", PATIENT).work(() => {});
      bench.queue(HASTY);
      const mortal = await mortalWorker(bench, HASTY);
      const { id } = await mortal.queue.add("x");
      (await mortal.manual.take(id)).succeed();
      await bench.reaches(id, "done");
      mortal.lifeline.cut();
      await bench.pass(5_000);
      expect((await bench.andon.workers()).map(({ queues }) => queues)).toEqual([["other"]]);
    });

    it("forgets a worker that died at rest, after some minutes", async (bench) => {
      await bench.andon.queue("other", PATIENT).work(() => {});
      bench.queue(HASTY);
      const mortal = await mortalWorker(bench, HASTY);
      await bench.pass(90_000);
      expect(await bench.andon.workers()).toMatchObject([{ atWork: false }, { atWork: false }]);
      // What the database and the other processes see of a dead process.
      mortal.lifeline.cut();
      await mortal.store.close();
      mortal.store.close = async () => {};
      await bench.pass(900_000);
      expect((await bench.andon.workers()).map(({ queues }) => queues)).toEqual([["other"]]);
    });

    it("forgets no live worker whose queues are not defined here", async (bench) => {
      await mortalWorker(bench, PATIENT);
      const [before] = await bench.andon.workers();
      await bench.andon.queue("other", HASTY).work(() => {});
      await bench.pass(90_000);
      expect((await bench.andon.workers()).map(({ id }) => id)).toContain(before?.id);
    });
  });
}

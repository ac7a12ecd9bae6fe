import type { JobState } from "@andon/contract";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const NAMES = ["a", "b", "c", "d"] as const;
/** The order of their ends, which differs from the order of their adds. */
const ENDS = ["c", "a", "d", "b"] as const;
const NEWEST_FIRST = [...ENDS].reverse();

async function namesIn(bench: Bench, state: JobState, page?: { page: number; limit: number }) {
  const { page: number = 1, limit = 20 } = page ?? {};
  return (await bench.store.read.jobs("line", state, number, limit)).items.map((job) => job.payload);
}

/** Ended jobs are listed by the time of their end, not of their add. */
export function describeEndedJobs(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "ended jobs", (it) => {
    it("are listed by their end when they were cancelled", async (bench) => {
      const queue = bench.queue<string>();
      const added = await queue.addMany([...NAMES]);
      for (const name of ENDS) {
        await queue.cancel(added[NAMES.indexOf(name)]?.id as string, KIM);
        await bench.pass(7);
      }
      expect(await namesIn(bench, "cancelled")).toEqual(NEWEST_FIRST);
      expect(await namesIn(bench, "cancelled", { page: 2, limit: 3 })).toEqual(NEWEST_FIRST.slice(3));
    });

    it("are listed by their end when they failed, and when they were settled", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
      const added = await queue.addMany([...NAMES]);
      const idOf = (name: (typeof NAMES)[number]) => added[NAMES.indexOf(name)]?.id as string;
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 4 });
      for (const name of ENDS) {
        (await manual.take(idOf(name))).fail(new Error("no"));
        await bench.reaches(idOf(name), "failed");
        await bench.pass(7);
      }
      expect(await namesIn(bench, "failed")).toEqual(NEWEST_FIRST);
      for (const name of NAMES) {
        await queue.skip(idOf(name), KIM);
        await bench.pass(7);
      }
      expect(await namesIn(bench, "resolved")).toEqual([...NAMES].reverse());
      expect(await namesIn(bench, "failed")).toEqual([]);
    });

    it("are listed by their end when they are done", async (bench) => {
      const queue = bench.queue<string>();
      const added = await queue.addMany([...NAMES]);
      const manual = bench.manualHandler();
      await queue.work(manual.handler, { places: 4 });
      for (const name of ENDS) {
        const id = added[NAMES.indexOf(name)]?.id as string;
        (await manual.take(id)).succeed();
        await bench.reaches(id, "done");
        await bench.pass(7);
      }
      expect(await namesIn(bench, "done")).toEqual(NEWEST_FIRST);
    });
  });
}

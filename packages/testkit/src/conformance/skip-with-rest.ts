import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

type Rules = Parameters<Bench["queue"]>[0];

/** A failed job `bad` with two more behind it in the lane `k`, the second of them also in the lane `other`. */
async function failedWithRest(bench: Bench, rules: Rules = {}, hooks = {}) {
  const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane", ...rules }, { hooks });
  const manual = bench.manualHandler();
  await queue.work(manual.handler);
  const bad = await queue.add("bad", { keys: ["k", "path"] });
  const behind = await queue.add("behind", { key: "k" });
  const both = await queue.add("both", { keys: ["k", "other"] });
  const other = await queue.add("other", { key: "other" });
  const samePath = await queue.add("same path", { key: "path" });
  (await manual.take(bad.id)).fail(new Error("no"));
  await bench.reaches(bad.id, "failed");
  return { queue, manual, bad, behind, both, other, samePath };
}

async function statesOf(bench: Bench, jobs: readonly { id: string }[]): Promise<string[]> {
  return Promise.all(jobs.map(async ({ id }) => (await bench.job(id)).state));
}

/** One decision skips a failed job and cancels all that wait behind it in its own lane. */
export function describeSkipWithRest(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "skip with the rest", (it) => {
    it("settles the failed job, cancels the waiting jobs of its own lane, and writes one audit row", async (bench) => {
      const { queue, manual, bad, behind, both, other, samePath } = await failedWithRest(bench);
      await bench.pass(31);
      const at = bench.clock.now();
      const decision = { actor: "kim", reason: " of no use any more " };
      expect(await queue.skipWithRest(bad.id, decision)).toEqual({ cancelled: 2 });
      const resolution = { actor: "kim", reason: "of no use any more", at };
      expect(await bench.job(bad.id)).toMatchObject({ state: "resolved", finishedAt: at, resolution });
      for (const { id } of [behind, both])
        expect(await bench.job(id)).toMatchObject({ state: "cancelled", resolution });
      expect((await bench.andon.audit()).items).toMatchObject([
        {
          actor: "kim",
          at,
          action: "job.skip-with-rest",
          target: `job:${bad.id}`,
          reason: "of no use any more",
          before: { state: "failed", waiting: 2 },
          after: { state: "resolved", cancelled: [behind.id, both.id] },
        },
      ]);
      expect((await queue.lanes({ held: true })).total).toBe(0);
      const next = [await manual.take(), await manual.take()].map(({ job }) => job.id);
      expect(next.sort()).toEqual([other.id, samePath.id].sort());
    });

    it("calls the hooks for each job, with the state found", async (bench) => {
      const told: unknown[] = [];
      const hooks = {
        cancelled: (job: { payload: string }) => void told.push(["cancelled", job.payload]),
        resolved: (job: { payload: string }, _tx: unknown, found: unknown) =>
          void told.push(["resolved", job.payload, found]),
      };
      const { queue, bad } = await failedWithRest(bench, {}, hooks);
      await queue.skipWithRest(bad.id, KIM, new Map([[bad.id, "it lies there"]]));
      expect(told).toEqual([
        ["cancelled", "behind"],
        ["cancelled", "both"],
        ["resolved", "bad", "it lies there"],
      ]);
    });

    for (const [first, second] of [
      ["retry", "skipWithRest"],
      ["skipWithRest", "retry"],
    ] as const) {
      it(`applies one of ${first} and ${second} at once, and the other changes nothing`, async (bench) => {
        const { queue, bad, behind, both } = await failedWithRest(bench);
        const outcomes = await Promise.allSettled([queue[first](bad.id, KIM), queue[second](bad.id, KIM)]);
        const made = outcomes.findIndex(({ status }) => status === "fulfilled");
        const refused = { status: "rejected", reason: { code: "JOB_STATE", status: 409 } };
        expect(outcomes[1 - made]).toMatchObject(refused);
        const isRetried = [first, second][made] === "retry";
        expect(await statesOf(bench, [behind, both])).toEqual(
          isRetried ? ["blocked", "blocked"] : ["cancelled", "cancelled"],
        );
        expect((await bench.andon.audit()).items).toMatchObject([
          { action: isRetried ? "job.retry" : "job.skip-with-rest" },
        ]);
      });
    }

    it("resolves a job that has left its lanes, and does not touch the jobs there now", async (bench) => {
      const { queue, manual, bad, behind, other } = await failedWithRest(bench, {
        onFinalFailure: "cancel-rest",
      });
      expect(await statesOf(bench, [behind])).toEqual(["cancelled"]);
      for (let n = 0; n < 2; n++) (await manual.take()).succeed();
      await bench.reaches(other.id, "done");
      const running = await queue.add("newer", { key: "k" });
      const newest = await queue.add("newest", { key: "k" });
      await manual.take(running.id);
      expect(await queue.skipWithRest(bad.id, KIM)).toEqual({ cancelled: 0 });
      expect(await statesOf(bench, [bad, running, newest])).toEqual(["resolved", "running", "blocked"]);
    });

    it("accepts a reason or none", async (bench) => {
      const { queue, bad, behind } = await failedWithRest(bench);
      expect(await queue.skipWithRest(bad.id, { actor: "kim" })).toEqual({ cancelled: 2 });
      for (const { id } of [bad, behind])
        expect((await bench.job(id)).resolution).toMatchObject({ actor: "kim", reason: null });
      expect((await bench.andon.audit()).items).toMatchObject([
        { action: "job.skip-with-rest", reason: null },
      ]);
    });

    it("needs a failed job", async (bench) => {
      const { queue, bad, behind } = await failedWithRest(bench);
      await expect(queue.skipWithRest(behind.id, KIM)).rejects.toMatchObject({ code: "JOB_STATE" });
      await expect(queue.skipWithRest("nobody", KIM)).rejects.toMatchObject({ code: "JOB_NOT_FOUND" });
      expect(await statesOf(bench, [bad, behind])).toEqual(["failed", "blocked"]);
      expect((await bench.andon.audit()).total).toBe(0);
    });
  });
}

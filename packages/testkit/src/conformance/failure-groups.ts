import { expect } from "vitest";
import { type Bench, describeOn, type StoreKind } from "./harness.ts";

async function failing(bench: Bench) {
  const queue = bench.queue<string>({ attempts: 1, onFinalFailure: "hold-lane" });
  await queue.work((job) => {
    const [code, message] = job.payload.split(": ");
    if (message) throw Object.assign(new Error(message), { code });
  });
  const addFailed = async (payload: string, options = {}) => {
    const { id } = await queue.add(payload, options);
    await bench.reaches(id, "failed");
    await bench.pass(11);
    return id;
  };
  return { queue, addFailed };
}

/** Failures grouped by cause, and the figures that a person needs of a queue (G9). */
export function describeFailuresAtAGlance(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "failures at a glance", (it) => {
    it("groups failed jobs by what went wrong, the largest group first", async (bench) => {
      const { queue, addFailed } = await failing(bench);
      const old = await addFailed("NOPE: no such file");
      await queue.skip(old, { actor: "kim", reason: "made the file" });
      const settledAt = bench.clock.now();
      const first = await addFailed("NOPE: no such file", { tenant: "ann" });
      const newest = await addFailed("NOPE: no such file");
      const full = await addFailed("ENOSPC: no space left", { tenant: "ann" });
      const at = async (id: string) => (await bench.job(id)).finishedAt;
      const all = await queue.fingerprints();
      expect(all).toMatchObject({ total: 2, page: 1, limit: 20 });
      expect(all.more).toBeUndefined();
      expect(all.items).toEqual([
        {
          fingerprint: (await bench.job(first)).error?.fingerprint,
          code: "NOPE",
          message: "no such file",
          count: 2,
          firstAt: await at(first),
          lastAt: await at(newest),
          newestJobId: newest,
          remedies: expect.anything(),
          lastResolution: { actor: "kim", reason: "made the file", at: settledAt },
        },
        {
          fingerprint: (await bench.job(full)).error?.fingerprint,
          code: "ENOSPC",
          message: "no space left",
          count: 1,
          firstAt: await at(full),
          lastAt: await at(full),
          newestJobId: full,
          remedies: expect.anything(),
          lastResolution: null,
        },
      ]);
      expect((await queue.fingerprints({}, { page: 2, limit: 1 })).items).toEqual(all.items.slice(1));
    });

    it("groups only the tenant's own jobs, and knows only its own resolutions", async (bench) => {
      const { queue, addFailed } = await failing(bench);
      const settled = await addFailed("NOPE: no such file", { tenant: "bob" });
      await queue.skip(settled, { actor: "bob", reason: "a secret of bob's" });
      await addFailed("NOPE: no such file", { tenant: "bob" });
      const own = await addFailed("NOPE: no such file", { tenant: "ann" });
      const found = await queue.fingerprints({ tenant: "ann" });
      expect(found).toMatchObject({
        total: 1,
        items: [{ count: 1, newestJobId: own, lastResolution: null }],
      });
      expect((await queue.fingerprints({ tenant: "bob" })).items).toMatchObject([
        { count: 1, lastResolution: { reason: "a secret of bob's" } },
      ]);
    });

    it("shows held lanes, how long the next job has waited, and how many were done in a minute", async (bench) => {
      const { queue, addFailed } = await failing(bench);
      expect(await queue.overview()).toEqual({ heldLanes: 0, oldestWaitingAt: null, donePerMinute: 0 });
      for (const payload of ["fine", "well"]) await bench.reaches((await queue.add(payload)).id, "done");
      await addFailed("NOPE: no", { key: "a" });
      await addFailed("NOPE: no", { key: "b" });
      await queue.stop({ actor: "kim" });
      await bench.pass(40);
      const { id } = await queue.add("waits");
      await bench.pass(17);
      await queue.add("waits, too");
      expect(await queue.overview()).toEqual({
        heldLanes: 2,
        oldestWaitingAt: (await bench.job(id)).createdAt,
        donePerMinute: 2,
      });
      await bench.pass(61_000);
      expect((await queue.overview()).donePerMinute).toBe(0);
    });

    it("shows earlier remedies for a cause, and whether they worked", async (bench) => {
      const queue = bench.queue<number>({ attempts: 1, onFinalFailure: "hold-lane", probe: false });
      let mended = new Set<number>();
      await queue.work((job) => {
        if (!mended.has(job.payload)) throw new Error("the printer is on fire");
      });
      const settled = async (failed: number) =>
        bench.passUntil("all have ended", async () => {
          const { counts } = await queue.status();
          return counts.failed === failed && counts.running + counts.ready + counts.blocked === 0;
        });
      const jobs = await queue.addMany([1, 2, 3, 4]);
      await settled(4);
      mended = new Set([1, 2]);
      await queue.retryAll({ actor: "kim", reason: "put out" });
      await settled(2);
      await queue.skip(jobs[2]?.id as string, { actor: "lee", reason: "printed elsewhere" });
      const [cause] = (await queue.fingerprints()).items;
      expect(cause).toMatchObject({
        count: 1,
        remedies: { retried: 4, worked: 2, failedAgain: 2, skipped: 1 },
      });
      // The four retries were one decision.
      expect(cause?.remedies.last).toMatchObject([
        { action: "skip", actor: "lee", worked: null },
        { action: "retry", actor: "kim", reason: "put out", worked: false },
      ]);
      await bench.andon.queue<number>("other").add(1);
      expect((await queue.fingerprints({ tenant: "nobody" })).items).toEqual([]);
    });
  });
}

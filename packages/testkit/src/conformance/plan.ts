import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const NOW_WELL = { actor: "lee", reason: "the disk is back" };

/** A queue whose jobs fail while `sick` has their payload; `seen` has the calls of its hooks. */
async function failing(bench: Bench, rules: Parameters<Bench["queue"]>[0] = {}) {
  const seen: string[] = [];
  const tell = (what: string) => (job: { payload: unknown }) => {
    seen.push(`${what} ${job.payload}`);
  };
  const sick = new Set<string>();
  const queue = bench.andon.queue<string>(
    "line",
    { attempts: 1, onFinalFailure: "hold-lane", ...rules },
    { hooks: { retried: tell("retried"), resolved: tell("resolved"), cancelled: tell("cancelled") } },
  );
  const worker = await queue.work((job) => {
    if (sick.has(job.payload)) throw new Error(`no ${job.payload}`);
  });
  const addFailed = async (payload: string, options = {}) => {
    sick.add(payload);
    const { id } = await queue.add(payload, options);
    await bench.reaches(id, "failed");
    return id;
  };
  return { queue, seen, sick, worker, addFailed };
}

/** Bulk decisions are planned, and then applied to exactly that set or not at all (G3). */
export function describePlan(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "plan and apply", (it) => {
    it("cancels parked jobs too", async (bench) => {
      const queue = bench.queue<string>();
      await queue.work((job, ctx) => ctx.park(`for ${job.payload}`));
      const { id } = await queue.add("parked");
      await bench.reaches(id, "parked");
      const plan = await queue.plan({ action: "cancel", filter: {} }, KIM);
      expect(plan).toMatchObject({ count: 1, reach: { byState: { parked: 1 }, leftOut: 0 } });
      expect(await queue.apply(plan.id, KIM)).toMatchObject({ applied: 1 });
      await bench.reaches(id, "cancelled");
    });

    it("shows what it would do, changes nothing, and then does exactly that", async (bench) => {
      const { queue, seen, sick, addFailed } = await failing(bench);
      const a = await addFailed("a", { key: "k" });
      const waiting = await queue.add("waits", { key: "k" });
      const b = await addFailed("b");
      const other = await addFailed("other", { name: "another kind" });
      const plan = await queue.plan({ action: "retry", filter: { name: "line" } }, KIM);
      expect(plan).toMatchObject({
        queue: "line",
        action: "retry",
        actor: "kim",
        state: "OPEN",
        count: 2,
        appliedAt: null,
        expiresAt: plan.createdAt + 15 * 60_000,
        reach: { byState: { failed: 2 }, lanesOpened: 1, waitingBehind: 1, queueStopped: false, leftOut: 1 },
      });
      expect(plan.sample.map((job) => job.id)).toEqual([a, b]);
      expect((await bench.job(a)).state).toBe("failed");
      sick.clear();
      const applied = await queue.apply(plan.id, NOW_WELL);
      expect(applied).toMatchObject({ applied: 2, requested: 0 });
      for (const id of [a, b, waiting.id]) await bench.reaches(id, "done");
      expect((await bench.job(other)).state).toBe("failed");
      expect(seen).toEqual(["retried a", "retried b"]);
      const rows = (await bench.andon.audit()).items;
      expect(rows.map((row) => [row.actor, row.action, row.target, row.reason]).toSorted()).toEqual([
        ["lee", "job.retry", `job:${a}`, "the disk is back"],
        ["lee", "job.retry", `job:${b}`, "the disk is back"],
        ["lee", "plan.apply", `plan:${plan.id}`, "the disk is back"],
      ]);
      expect(await bench.andon.plan(plan.id)).toMatchObject({
        state: "APPLIED",
        appliedAt: applied.appliedAt,
        count: 2,
      });
    });

    it("is applied once, also when two apply it at once", async (bench) => {
      const { queue, addFailed } = await failing(bench);
      const id = await addFailed("a");
      const plan = await queue.plan({ action: "skip", ids: [id] }, KIM);
      const there = (await bench.another()).queue("line");
      const outcomes = await Promise.allSettled([queue.apply(plan.id, KIM), there.apply(plan.id, KIM)]);
      expect(outcomes.map((outcome) => outcome.status).toSorted()).toEqual(["fulfilled", "rejected"]);
      await expect(queue.apply(plan.id, KIM)).rejects.toMatchObject({
        code: "PLAN_USED",
        status: 409,
        details: { state: "APPLIED" },
      });
      expect((await bench.andon.audit({ action: "plan.apply" })).total).toBe(1);
    });

    it("does nothing if one of the jobs has changed since", async (bench) => {
      const { queue, seen, sick, addFailed } = await failing(bench);
      const [a, b, c] = [await addFailed("a"), await addFailed("b"), await addFailed("c")];
      const plan = await queue.plan({ action: "skip", filter: {} }, KIM);
      // The same state again, but after another attempt in between.
      await queue.retry(b, KIM);
      await bench.reaches(b, "failed");
      sick.delete("c");
      await queue.retry(c, KIM);
      await bench.reaches(c, "done");
      await expect(queue.apply(plan.id, KIM)).rejects.toMatchObject({
        code: "PLAN_STALE",
        status: 409,
        details: { count: 2, jobs: [b, c] },
      });
      expect((await bench.job(a)).state).toBe("failed");
      expect(seen).toEqual(["retried b", "retried c"]);
      expect((await bench.andon.plan(plan.id))?.state).toBe("OPEN");
    });

    it("does nothing if a hook refuses one of the jobs", async (bench) => {
      const queue = bench.queue<string>(
        {},
        {
          hooks: {
            cancelled(job) {
              if (job.payload === "b") throw new Error("not b");
            },
          },
        },
      );
      const [a] = await queue.addMany(["a", "b"]);
      const plan = await queue.plan({ action: "cancel", filter: {} }, KIM);
      await expect(queue.apply(plan.id, KIM)).rejects.toThrow("not b");
      expect((await bench.job(a?.id as string)).state).toBe("ready");
      expect((await bench.andon.audit()).total).toBe(0);
    });

    it("cancels waiting jobs and asks running ones to stop", async (bench) => {
      const queue = bench.queue<string>();
      const manual = bench.manualHandler();
      const [runs, waits, ready] = await queue.addMany(["runs", "waits", "ready"], (payload) =>
        payload === "ready" ? {} : { key: "k" },
      );
      const later = await queue.add("later", { key: "k", delay: "1h" });
      await queue.work(manual.handler, { places: 1 });
      const call = await manual.take(runs?.id);
      await bench.settled();
      const plan = await queue.plan({ action: "cancel", filter: {} }, KIM);
      expect(plan).toMatchObject({
        count: 4,
        reach: { byState: { running: 1, blocked: 1, ready: 1, scheduled: 1 }, lanesOpened: 0 },
      });
      const ofKey = await queue.plan({ action: "cancel", filter: { key: "k" } }, KIM);
      expect(ofKey.sample.map((job) => job.payload)).toEqual(["runs", "waits", "later"]);
      expect(await queue.apply(plan.id, KIM)).toMatchObject({ applied: 4, requested: 1 });
      for (const job of [waits, ready, later])
        expect((await bench.job(job?.id as string)).state).toBe("cancelled");
      expect((await bench.job(runs?.id as string)).state).toBe("running");
      await bench.passUntil("its signal is aborted", () => call.context.signal.aborted);
      call.fail(new Error("aborted"));
      await bench.reaches(runs?.id as string, "cancelled");
    });

    it("shows that the queue is stopped", async (bench) => {
      const { queue, addFailed } = await failing(bench, { onFinalFailure: "stop-queue" });
      await addFailed("a");
      const plan = await queue.plan({ action: "retry", filter: {} }, KIM);
      expect(plan.reach.queueStopped).toBe(true);
    });

    it("expires after 15 minutes, and is deleted a day later", async (bench) => {
      const { queue, worker, addFailed } = await failing(bench);
      await addFailed("a");
      const plan = await queue.plan({ action: "retry", filter: {} }, KIM);
      await worker.close();
      bench.clock.jump(15 * 60_000);
      expect((await bench.andon.plan(plan.id))?.state).toBe("EXPIRED");
      await expect(queue.apply(plan.id, KIM)).rejects.toMatchObject({
        code: "PLAN_USED",
        details: { state: "EXPIRED" },
      });
      await queue.purge();
      expect(await bench.andon.plan(plan.id)).toBeDefined();
      bench.clock.jump(24 * 60 * 60_000 + 1);
      await queue.purge();
      expect(await bench.andon.plan(plan.id)).toBeUndefined();
    });

    it("needs jobs that allow the action, and a reason to skip them", async (bench) => {
      const { queue, addFailed } = await failing(bench);
      const id = await addFailed("a");
      const { id: ready } = await queue.add("later", { delay: "1h" });
      await expect(queue.plan({ action: "skip", ids: [id] }, { actor: "kim" })).rejects.toMatchObject({
        code: "REASON_REQUIRED",
      });
      for (const filter of [{ name: "nobody's" }, { state: "done" as const }])
        await expect(queue.plan({ action: "retry", filter }, KIM)).rejects.toMatchObject({
          code: "PLAN_EMPTY",
          status: 400,
        });
      await expect(queue.plan({ action: "retry", ids: [ready] }, KIM)).rejects.toMatchObject({
        code: "PLAN_EMPTY",
      });
      await expect(queue.plan({ action: "retry", ids: ["nobody"] }, KIM)).rejects.toMatchObject({
        code: "JOB_NOT_FOUND",
      });
      await expect(queue.plan({ action: "retry", ids: [id], filter: {} }, KIM)).rejects.toMatchObject({
        code: "INVALID_OPTION",
      });
      expect(await queue.plan({ action: "retry", ids: [id, ready] }, KIM)).toMatchObject({
        count: 1,
        reach: { leftOut: 1 },
      });
      await expect(queue.apply("nothing", KIM)).rejects.toMatchObject({
        code: "PLAN_NOT_FOUND",
        status: 404,
      });
    });

    it("stays within the scope of its planner and its applier", async (bench) => {
      const { queue, addFailed } = await failing(bench);
      const [mine, theirs] = [
        await addFailed("a", { tenant: "ann" }),
        await addFailed("b", { tenant: "bob" }),
      ];
      const ann = { ...KIM, tenant: "ann" };
      const bob = { ...KIM, tenant: "bob" };
      await expect(queue.plan({ action: "skip", ids: [mine, theirs] }, ann)).rejects.toMatchObject({
        code: "JOB_NOT_FOUND",
      });
      await expect(queue.plan({ action: "skip", filter: { tenant: "bob" } }, ann)).rejects.toMatchObject({
        code: "PP-403-SCOPE",
      });
      const plan = await queue.plan({ action: "skip", filter: {} }, ann);
      const whole = await queue.plan({ action: "skip", filter: {} }, KIM);
      expect([plan.count, whole.count]).toEqual([1, 2]);
      expect(await bench.andon.plan(plan.id, { tenant: "bob" })).toBeUndefined();
      for (const [id, decision] of [
        [plan.id, bob],
        [whole.id, ann],
      ] as const)
        await expect(queue.apply(id, decision)).rejects.toMatchObject({ code: "PLAN_NOT_FOUND" });
      expect(await queue.apply(plan.id, ann)).toMatchObject({ applied: 1 });
      expect((await bench.job(theirs)).state).toBe("failed");
      expect((await bench.andon.audit({ tenant: "ann" })).items.map((row) => row.action).toSorted()).toEqual([
        "job.skip",
        "plan.apply",
      ]);
    });

    it("accepts more jobs than one step takes, and refuses more names than a request may have", async (bench) => {
      const queue = bench.queue<number>();
      await queue.addMany(Array.from({ length: 2_501 }, (_, n) => n));
      const ids = Array.from({ length: 10_001 }, (_, n) => String(n));
      await expect(queue.plan({ action: "cancel", ids }, KIM)).rejects.toMatchObject({
        code: "INVALID_OPTION",
      });
      const plan = await queue.plan({ action: "cancel", filter: {} }, KIM);
      expect(plan).toMatchObject({ count: 2_501, reach: { byState: { ready: 2_501 } } });
      expect(await queue.apply(plan.id, KIM)).toMatchObject({
        applied: 2_501,
        leftOut: { count: 0, jobs: [] },
      });
      expect((await queue.status()).counts).toMatchObject({ ready: 0, cancelled: 2_501 });
    });
  });
}

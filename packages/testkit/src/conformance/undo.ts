import { AndonError, type HeldDecision, type Job } from "@andon/contract";
import type { DecideEach, Queue } from "@andon/engine";
import { expect } from "vitest";
import { type Bench, describeOn, KIM, type StoreKind } from "./harness.ts";

const LEE = { actor: "lee", reason: "wrong job" } as const;

/** Decisions about one job that are held back, and can be undone. */
export function describeUndo(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "undo window", (it) => {
    it("holds a skip back, shows it with its job, and applies it when it is due", async (bench) => {
      const { andon, queue, failed } = await withFailed(bench);
      const held = await queue.skip(failed.id, KIM);
      expect(held).toMatchObject({ action: "skip", state: "pending", jobId: failed.id, actor: "kim" });
      expect((held?.appliesAt ?? 0) - (held?.madeAt ?? 0)).toBe(10_000);
      await bench.pass(5_000);
      expect((await bench.job(failed.id)).state).toBe("failed");
      expect(await andon.pendingDecision(failed.id)).toEqual(held);
      await bench.passUntilState(failed.id, "resolved");
      expect(await bench.job(failed.id)).toMatchObject({ resolution: { actor: "kim", reason: KIM.reason } });
      expect(await andon.pendingDecision(failed.id)).toBeUndefined();
      expect(await andon.decision(held?.id as string)).toMatchObject({ state: "applied" });
      const actions = (await andon.audit()).items.map(({ action }) => action);
      expect(actions).toEqual(expect.arrayContaining(["job.skip-held-back", "job.skip"]));
    });

    it("calls a decision off: the job stays unchanged, and the audit log has who did it", async (bench) => {
      const { andon, queue, failed } = await withFailed(bench);
      const held = await queue.skip(failed.id, KIM);
      await expect(queue.skip(failed.id, KIM)).rejects.toMatchObject({ code: "DECISION_PENDING" });
      expect(await andon.undo(held?.id as string, LEE)).toMatchObject({ state: "undone", settledBy: "lee" });
      await bench.pass(30_000);
      expect((await bench.job(failed.id)).state).toBe("failed");
      await expect(andon.undo(held?.id as string, LEE)).rejects.toMatchObject({ code: "DECISION_SETTLED" });
      await expect(andon.undo("nothing", LEE)).rejects.toMatchObject({ code: "DECISION_NOT_FOUND" });
      expect((await andon.audit()).items[0]).toMatchObject({
        actor: "lee",
        action: "decision.undo",
        reason: LEE.reason,
      });
      expect(await queue.skip(failed.id, KIM)).toMatchObject({ state: "pending" });
    });

    it("does not let a decision be called off once it is due", async (bench) => {
      const { andon, queue, failed } = await withFailed(bench);
      const held = await queue.skip(failed.id, KIM);
      bench.clock.jump(10_000);
      await expect(andon.undo(held?.id as string, LEE)).rejects.toMatchObject({ code: "DECISION_SETTLED" });
      await bench.passUntilState(failed.id, "resolved");
    });

    it("lets a decision lapse if the job has changed meanwhile, with the reason", async (bench) => {
      const { andon, queue, failed } = await withFailed(bench);
      const held = await queue.skip(failed.id, KIM);
      await queue.retry(failed.id, KIM);
      await bench.pass(30_000);
      expect(await andon.decision(held?.id as string)).toMatchObject({
        state: "lapsed",
        settledBy: "system",
      });
      expect((await bench.job(failed.id)).state).toBe("failed");
      expect((await andon.audit()).items.map(({ action }) => action)).toContain("decision.lapse");
    });

    it("holds back the cancel of a waiting job, and applies it in any state that can be cancelled", async (bench) => {
      const { andon, queue } = await withFailed(bench);
      const { id } = await queue.add("fine", { delay: "1h" });
      const { outcome, decision } = await queue.cancel(id, KIM);
      expect(outcome).toBe("pending");
      expect((await bench.job(id)).state).toBe("scheduled");
      await bench.passUntilState(id, "cancelled");
      expect(await andon.decision(decision?.id as string)).toMatchObject({ state: "applied" });
      await expect(queue.cancel(id, KIM)).rejects.toMatchObject({ code: "JOB_STATE" });
    });

    it("holds back a skip with the jobs behind it, few or many", async (bench) => {
      const { andon, queue } = await withFailed(bench);
      for (const [lane, behind] of [
        ["few", 2],
        ["many", 150],
      ] as const) {
        const { id } = await queue.add("bad", { key: lane });
        const rest = await queue.addMany(Array(behind).fill("fine"), () => ({ key: lane }));
        await bench.passUntilState(id, "failed");
        const { cancelled, decision } = await queue.skipWithRest(id, KIM);
        expect([cancelled, decision?.action]).toEqual([0, "skip-with-rest"]);
        expect((await bench.job(id)).state).toBe("failed");
        expect((await bench.job(rest[0]?.id as string)).state).toBe("blocked");
        await bench.passUntilState(id, "resolved");
        for (const { id: each } of rest) expect((await bench.job(each)).state).toBe("cancelled");
        expect(await andon.decision(decision?.id as string)).toMatchObject({ state: "applied" });
      }
    });

    it("does not hold back a decision over many jobs, or one with `atOnce`", async (bench) => {
      const { queue, failed } = await withFailed(bench);
      const jobs = await queue.addMany(["a", "b", "c"], () => ({ delay: "1h" }));
      const [first, ...others] = jobs.map(({ id }) => id);
      const plan = await queue.plan({ action: "cancel", ids: others }, KIM);
      await queue.apply(plan.id, KIM);
      for (const id of others) expect((await bench.job(id)).state).toBe("cancelled");
      expect(await queue.cancel(first as string, { ...KIM, atOnce: true })).toEqual({ outcome: "cancelled" });
      expect(await queue.skip(failed.id, { ...KIM, atOnce: true })).toBeUndefined();
      expect((await bench.job(failed.id)).state).toBe("resolved");
    });

    it("lets the app carry out its own decision when it is due, and lets it lapse if the app refuses it", async (bench) => {
      const asked: unknown[] = [];
      let isRefused = false;
      const { andon, queue, failed } = await withFailed(bench, {
        skip: async (job, decision) => {
          asked.push([job.id, decision]);
          if (isRefused) throw new AndonError("JOB_STATE", { job: job.id });
          await queue.skip(job.id, decision, undefined, { action: "copy.give-up", needsReason: false });
        },
      });
      const options = { action: "copy.give-up", needsReason: false };
      const held = await queue.skip(failed.id, { actor: "kim" }, undefined, options);
      await bench.passUntilState(failed.id, "resolved");
      expect(asked).toEqual([[failed.id, { actor: "kim", atOnce: true }]]);
      await bench.passUntil("it is applied", async () => (await stateOf(andon, held)) === "applied");
      const actions = (await andon.audit({ target: `job:${failed.id}` })).items.map(({ action }) => action);
      expect(actions).toEqual(["copy.give-up", "copy.give-up-held-back"]);

      isRefused = true;
      const { id } = await queue.add("bad");
      await bench.passUntilState(id, "failed");
      const refused = await queue.holdBack(id, "skip", KIM);
      await bench.passUntil("it lapses", async () => (await stateOf(andon, refused)) === "lapsed");
      expect((await bench.job(id)).state).toBe("failed");
      expect(asked).toHaveLength(2);
    });

    it("applies a decision in another process if the one that decided has ended", async (bench) => {
      const { failed } = await withFailed(bench);
      const operator = await bench.another({ decisions: { undoWindow: "10s" } });
      const line = operator.queue<string>("line");
      await line.skip(failed.id, KIM);
      await closed(bench, operator);
      await bench.passUntilState(failed.id, "resolved");
    });

    it("shows a decision only to readers that may see its job", async (bench) => {
      const { andon, queue, failed } = await withFailed(bench);
      const held = await queue.skip(failed.id, KIM);
      const id = held?.id as string;
      expect(await andon.decision(id, { tenant: "other" })).toBeUndefined();
      await expect(andon.undo(id, { ...LEE, tenant: "other" })).rejects.toMatchObject({
        code: "DECISION_NOT_FOUND",
      });
    });
  });
}

async function stateOf(andon: Bench["andon"], held: HeldDecision | undefined): Promise<string | undefined> {
  return (await andon.decision(held?.id as string))?.state;
}

async function withFailed(
  bench: Bench,
  decideEach?: DecideEach,
): Promise<{ andon: Bench["andon"]; queue: Queue<string>; failed: Job }> {
  const andon = await bench.another({ decisions: { undoWindow: "10s" } });
  const queue = andon.queue<string>("line", { attempts: 1, onFinalFailure: "hold-lane" }, { decideEach });
  await queue.work((job) => {
    if (job.payload === "bad") throw new Error("broken");
  });
  const { id } = await queue.add("bad");
  await bench.passUntilState(id, "failed");
  return { andon, queue, failed: await bench.job(id) };
}

async function closed(bench: Bench, andon: Bench["andon"]): Promise<void> {
  let isOpen = true;
  const closing = andon.close().finally(() => {
    isOpen = false;
  });
  for (let tries = 0; isOpen && tries < 100; tries++) await bench.pass(1_000);
  await closing;
}

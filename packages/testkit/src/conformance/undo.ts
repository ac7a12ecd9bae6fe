import type { Job } from "@andon/contract";
import type { Queue } from "@andon/engine";
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

    it("calls a decision off: the job stays as it is, and the audit log tells who did it", async (bench) => {
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

    it("lapses where the job has changed meanwhile, and says how", async (bench) => {
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

    it("holds a cancel of a waiting job back, and finds it in whatever state it can be cancelled", async (bench) => {
      const { andon, queue } = await withFailed(bench);
      const { id } = await queue.add("fine", { delay: "1h" });
      const { outcome, decision } = await queue.cancel(id, KIM);
      expect(outcome).toBe("pending");
      expect((await bench.job(id)).state).toBe("scheduled");
      await bench.passUntilState(id, "cancelled");
      expect(await andon.decision(decision?.id as string)).toMatchObject({ state: "applied" });
      await expect(queue.cancel(id, KIM)).rejects.toMatchObject({ code: "JOB_STATE" });
    });

    it("is applied by another process where the one that decided is gone", async (bench) => {
      const { failed } = await withFailed(bench);
      const operator = await bench.another({ decisions: { undoWindow: "10s" } });
      const line = operator.queue<string>("line");
      await line.skip(failed.id, KIM);
      await closed(bench, operator);
      await bench.passUntilState(failed.id, "resolved");
    });

    it("shows a decision only to who may see its job", async (bench) => {
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

async function withFailed(
  bench: Bench,
): Promise<{ andon: Bench["andon"]; queue: Queue<string>; failed: Job }> {
  const andon = await bench.another({ decisions: { undoWindow: "10s" } });
  const queue = andon.queue<string>("line", { attempts: 1, onFinalFailure: "hold-lane" });
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

import { expect } from "vitest";
import { describeOn, KIM, type StoreKind } from "./harness.ts";

/** A person deletes a job or a queue for good; an audit row stays. */
export function describeDeletion(kinds: readonly StoreKind[]): void {
  describeOn(kinds, "deletion of a job", (it) => {
    it("deletes everything about it, and leaves an audit row", async (bench) => {
      const deleted: string[] = [];
      const queue = bench.queue<string>(
        {},
        { hooks: { deleted: (job) => void deleted.push(`${job.id} ${job.state}`) } },
      );
      await queue.work(() => {});
      const { id } = await queue.add("secret", { idempotencyKey: "once", key: "k" });
      await bench.reaches(id, "done");
      await queue.deleteJob(id, KIM);
      expect(await bench.andon.job(id)).toBeUndefined();
      expect(deleted).toEqual([`${id} done`]);
      expect(
        (await bench.store.read.jobEvents(id, 10)).every(({ data }) => Object.keys(data).length === 0),
      ).toBe(true);
      expect((await bench.andon.audit({ target: `job:${id}` })).items).toMatchObject([
        { action: "job.delete", actor: KIM.actor, reason: KIM.reason, before: { state: "done" } },
      ]);
      // Its idempotency key is free again.
      const again = await queue.add("again", { idempotencyKey: "once", key: "k" });
      expect(again.id).not.toBe(id);
      await bench.reaches(again.id, "done");
    });

    it("that failed lets its lane continue", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1 });
      await queue.work((job) => {
        if (job.payload === "bad") throw new Error("broken");
      });
      const [bad, behind] = await queue.addMany(["bad", "good"], { key: "k" });
      await bench.reaches(bad?.id as string, "failed");
      expect((await bench.job(behind?.id as string)).state).toBe("blocked");
      await queue.deleteJob(bad?.id as string, KIM);
      await bench.reaches(behind?.id as string, "done");
      expect(await queue.status()).toMatchObject({ counts: { failed: 0 } });
    });

    it("that waits lets the next one of its lane through, if the caller asks for that", async (bench) => {
      const queue = bench.queue<string>();
      const [first, second] = await queue.addMany(["first", "second"], { key: "k" });
      const { id: later } = await queue.add("later", { delay: "1h" });
      const how = { noun: "bulk", waiting: true, needsReason: false };
      for (const id of [first?.id as string, later]) await queue.deleteJob(id, { actor: "kim" }, how);
      expect(await bench.andon.job(later)).toBeUndefined();
      expect((await bench.job(second?.id as string)).state).toBe("ready");
      expect(await queue.status()).toMatchObject({ counts: { ready: 1, scheduled: 0, cancelled: 0 } });
      expect((await bench.andon.audit({ target: `job:${first?.id}` })).items).toMatchObject([
        { action: "bulk.delete", actor: "kim", reason: null },
      ]);
    });

    it("is refused while it waits, without a reason, and where its hook refuses", async (bench) => {
      const queue = bench.queue<string>(
        {},
        {
          hooks: {
            deleted: () => {
              throw new Error("the app needs it");
            },
          },
        },
      );
      const { id } = await queue.add("x");
      await expect(queue.deleteJob(id, KIM)).rejects.toMatchObject({ code: "JOB_STATE" });
      await expect(queue.deleteJob(id, { actor: "kim" })).rejects.toMatchObject({ code: "REASON_REQUIRED" });
      await expect(queue.deleteJob(id, { ...KIM, tenant: "other" })).rejects.toMatchObject({
        code: "JOB_NOT_FOUND",
      });
      await queue.cancel(id, KIM);
      await expect(queue.deleteJob(id, KIM)).rejects.toThrow("the app needs it");
      expect((await bench.job(id)).state).toBe("cancelled");
    });
  });

  describeOn(kinds, "deletion of a queue", (it) => {
    it("is refused while the queue is open or worked", async (bench) => {
      const queue = bench.queue<string>();
      const worker = await queue.work(() => {});
      await expect(bench.andon.deleteQueue("line", KIM)).rejects.toMatchObject({ code: "QUEUE_IN_USE" });
      await queue.stop(KIM);
      await expect(bench.andon.deleteQueue("line", KIM)).rejects.toMatchObject({ code: "QUEUE_IN_USE" });
      await worker.close();
      await bench.settled();
      expect(await bench.andon.deleteQueue("line", KIM)).toBe(0);
      await expect(bench.andon.deleteQueue("line", KIM)).rejects.toMatchObject({ code: "QUEUE_NOT_FOUND" });
    });

    it("deletes everything of it, and nothing of another queue", async (bench) => {
      const queue = bench.queue<string>({ attempts: 1 });
      const other = bench.andon.queue<string>("other");
      const kept = await other.add("kept", { key: "k" });
      const worker = await queue.work((job) => {
        if (job.payload === "bad") throw new Error("broken");
      });
      const done = await queue.addMany(Array.from({ length: 1_200 }, (_, n) => `job ${n}`));
      await queue.add("bad", { key: "k" });
      await queue.add("behind", { key: "k", idempotencyKey: "behind" });
      await queue.add("later", { delay: "1h" });
      await bench.reaches(done.at(-1)?.id as string, "done");
      await bench.passUntil("one failed", async () => (await queue.status()).counts.failed === 1);
      await worker.close();
      await queue.stop(KIM);
      await queue.add("waits");
      expect(await bench.andon.deleteQueue("line", KIM)).toBe(1_204);
      expect(await bench.store.read.queue("line")).toBeUndefined();
      for (const table of [
        "jobs",
        "ready",
        "timers",
        "ended",
        "lane_jobs",
        "lanes",
        "claim_log",
        "tallies",
        "stops",
        "idempotency",
      ])
        expect([
          table,
          await bench.store.query(`select queue from andon_${table} where queue = 'line'`),
        ]).toEqual([table, []]);
      expect((await bench.job(kept.id)).state).toBe("ready");
      expect((await bench.andon.audit({ target: "queue:line", action: "queue.delete" })).items).toHaveLength(
        1,
      );
      // The next add creates the queue again.
      const { id } = await queue.add("anew");
      expect((await bench.job(id)).state).toBe("ready");
    });
  });
}
